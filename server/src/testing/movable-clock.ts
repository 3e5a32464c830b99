import { type Clock, systemClock } from '@marquee/platform/runtime/clock'

/** The real time, which a test can move ahead. */
export function movableClock(): Clock & { moveAhead: (milliseconds: number) => void } {
  let ahead = 0
  return {
    now: () => new Date(systemClock.now().getTime() + ahead),
    moveAhead: (milliseconds) => {
      ahead += milliseconds
    },
  }
}
