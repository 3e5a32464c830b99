import { type Clock, systemClock } from '@marquee/platform/runtime/clock'

/** A clock that was set back by more is not waited for. */
const MOST_WAIT_MS = 1_000

let latest = 0

/** The real time. `nextMillisecond` knows what it has shown. */
export const testClock: Clock = {
  now: () => {
    const now = systemClock.now()
    latest = now.getTime()
    return now
  },
}

/**
 * Waits until the clock shows a later millisecond than it has shown. So each call of a test comes in a later millisecond than those
 * before it, as the calls of people do: what happens in the same millisecond has no order.
 */
export async function nextMillisecond(): Promise<void> {
  for (;;) {
    const ahead = latest - systemClock.now().getTime()
    if (ahead < 0 || ahead > MOST_WAIT_MS) return
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
