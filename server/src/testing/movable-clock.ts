import type { Clock } from '@marquee/platform/runtime/clock'

import { testClock } from './test-clock.ts'

/** The real time, which a test can move ahead. */
export function movableClock(): Clock & { moveAhead: (milliseconds: number) => void } {
  let ahead = 0
  return {
    now: () => new Date(testClock.now().getTime() + ahead),
    moveAhead: (milliseconds) => {
      ahead += milliseconds
    },
  }
}
