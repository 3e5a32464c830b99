import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../runtime/durations.ts'
import type { Policy, QueuePorts } from './policy.ts'
import { bringForward, nextDueAt, releaseClaims } from './store.ts'

const CLOCK_SLACK_MS = MINUTE_MS
const LOOK_AHEAD_MS = HOUR_MS
/** A clock that goes back by more than this was set. */
const SET_BACK_MS = SECOND_MS

/** Ends claims and pauses that were written by a clock ahead of time: at the start, hourly, and when the clock goes back. */
export function endTimesAhead<Row>(
  { database, clock, logger }: QueuePorts,
  { table, name, claimMs = 0, longestWaitMs, isAlone }: Policy<Row>,
): () => Promise<void> {
  let hasLeftovers = isAlone ?? false
  let seenAt = -Infinity
  let lookAheadAt = -Infinity

  return async () => {
    const now = clock.now().getTime()
    const wentBack = now < seenAt - SET_BACK_MS
    seenAt = now
    if (now < lookAheadAt && !wentBack) return
    const claims = now + claimMs + CLOCK_SLACK_MS
    const latest = now + longestWaitMs + CLOCK_SLACK_MS
    if (hasLeftovers) {
      await database.transaction(async (trx) => await releaseClaims(trx, table, now))
      hasLeftovers = false
    }
    if ((await nextDueAt(database.read, table, Math.min(latest, claims))) !== undefined) {
      const count = await database.transaction(async (trx) => await bringForward(trx, table, { now, latest, claims }))
      if (count > 0) logger.warn({ count, queue: name }, 'rows of a queue were dated too far ahead, and are due now')
    }
    lookAheadAt = now + LOOK_AHEAD_MS
  }
}
