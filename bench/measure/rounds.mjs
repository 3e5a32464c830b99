export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Runs `acts` alternately: once each per round, in the opposite order every second round, so that other load of the
 * machine affects all alike. Returns the results by name.
 */
export async function inTurns(rounds, acts) {
  const names = Object.keys(acts)
  const results = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await acts[name]())
  }
  return results
}

/** The median of the ratios of two series that were measured alternately. */
export const medianRatio = (above, below) => median(above.map((value, round) => value / below[round]))
