import { mock } from 'node:test'

import type { Clock } from '@marquee/platform/runtime/clock'

/** The time of both worlds. It stands still, except where it is moved ahead; then timers of both fire. */
export type Time = {
  readonly clock: Clock
  readonly moveAhead: (milliseconds: number) => void
  readonly stop: () => void
}

const START = Date.UTC(2031, 0, 10, 20)

/** Takes over the timers of this process, so that background work happens at the same step in both worlds. */
export function startTime(): Time {
  let now = START
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  return {
    clock: { now: () => new Date(now) },
    moveAhead: (milliseconds) => {
      now += milliseconds
      mock.timers.tick(milliseconds)
    },
    stop: () => {
      mock.timers.reset()
    },
  }
}
