import { type Clock, systemClock } from '@marquee/platform/runtime/clock'

/** If the clock of the machine was set back by more, the clock of the tests follows it. */
const MOST_AHEAD_MS = 60_000

let latest = 0
let earliest = 0

/** The real time, ahead of it by as many milliseconds as calls were faster than one. */
export const testClock: Clock = {
  now: () => {
    const real = systemClock.now().getTime()
    latest = earliest - real > MOST_AHEAD_MS ? real : Math.max(real, earliest)
    return new Date(latest)
  },
}

/**
 * From now on the clock shows a later millisecond than it has shown. So each call of a test comes in a later millisecond than
 * those before it, as the calls of people do: what happens in the same millisecond has no order.
 */
export function nextMillisecond(): void {
  earliest = latest + 1
}
