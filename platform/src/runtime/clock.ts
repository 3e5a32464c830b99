/** The current time. Code that needs it takes a clock, so that tests can change it. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

/** Seconds since 1970, the unit of tokens. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}
