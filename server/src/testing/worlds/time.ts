import { mock } from 'node:test'

import type { Clock } from '@marquee/platform/runtime/clock'

/** The time of both worlds. It passes only where it is moved ahead; then timers of both fire. */
export type Time = {
  readonly clock: Clock
  readonly moveAhead: (milliseconds: number) => void
  readonly stop: () => void
}

/** Background work looks at the clock at least every minute, so a longer time need not pass for the timers. */
const LONGEST_TICK_MS = 61_000
const START = Date.UTC(2031, 0, 10, 20)

/** Takes over the timers of this process, so that background work happens at the same step in both worlds. */
export function startTime(): Time {
  let now = START
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  return {
    clock: { now: () => new Date(now) },
    moveAhead: (milliseconds) => {
      now += milliseconds
      mock.timers.tick(Math.min(milliseconds, LONGEST_TICK_MS))
    },
    stop: () => {
      mock.timers.reset()
    },
  }
}
