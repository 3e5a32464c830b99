/** The time of day. Everything that asks what time it is takes one, so that tests can move it. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

/** Seconds since 1970, as tokens count them. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}
