export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/**
 * Takes turns: in each round every one of `acts` runs once, every second round in the opposite order, so that what else
 * the machine does hits all alike. Gives the results of each by its name.
 */
export async function inTurns(rounds, acts) {
  const names = Object.keys(acts)
  const results = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await acts[name]())
  }
  return results
}

/** The median of the ratios of two series that were made in turns. */
export const medianRatio = (above, below) => median(above.map((value, round) => value / below[round]))
