import { type Clock, systemClock } from '@marquee/platform/runtime/clock'

/** A call that takes less than a millisecond puts the clock this far ahead at most. */
const MOST_AHEAD_MS = 1_000

let latest = 0
let earliest = 0

/**
 * The real time, in which each call comes in a later millisecond than those before it, as the calls of people do. What happens in
 * the same millisecond has no order.
 */
export const testClock: Clock = {
  now: () => {
    const real = systemClock.now().getTime()
    latest = earliest - real > MOST_AHEAD_MS ? real : Math.max(real, earliest)
    return new Date(latest)
  },
}

/** From now on the clock shows a later millisecond than before. */
export function beginCall(): void {
  earliest = latest + 1
}
