/** The current time. Code that needs it takes a clock, so that tests can change it. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

/** The time so many milliseconds from now; an earlier time if they are negative. */
export function inFuture(clock: Clock, ms: number): Date {
  return new Date(clock.now().getTime() + ms)
}

/** Seconds since 1970, the unit of tokens. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}
