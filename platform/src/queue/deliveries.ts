import type { AnyDb } from '../database/database.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../runtime/durations.ts'
import { type Queue, type QueuePorts, startQueue } from './queue.ts'
import { type DueTable, moveLane } from './store.ts'

/** Longer than one attempt takes. After this time another process takes the message of a process that died. */
const CLAIM_MS = MINUTE_MS
/** The pauses after failures; the last one repeats. */
const RETRY_AFTER_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
export const LONGEST_PAUSE_MS = HOUR_MS
/** A message is not sent again after this time. */
export const MESSAGE_LASTS_MS = DAY_MS
/** Healthy targets answer sooner. One that does not keeps only itself waiting. */
const SLOW = { afterMs: SECOND_MS, most: 200 }
/** The pause after a failure of our own. */
const OUTAGE_MS = 30 * SECOND_MS

/** What became of a message. `status` is that of the answer, null if there was none. */
export type Answer =
  | { readonly what: 'delivered'; readonly status: number }
  | { readonly what: 'failed'; readonly status: number | null }
  /** The target will never take a message again. */
  | { readonly what: 'ended'; readonly status: number | null }
  /** There is nothing left to say, or the target refuses this message only. */
  | { readonly what: 'dropped' }
  | { readonly what: 'postponed'; readonly until: number }

/** The target of messages, as far as its failures go. */
export type Target = { readonly failures: number; readonly failing_since?: number | null }

export type Failure = {
  readonly status: number | null
  readonly failures: number
  readonly since: number
  readonly retryAt: number
  /** Messages from before this time are not sent any more. */
  readonly endsBefore: number
}

type Deliveries<Row, T extends Target> = {
  readonly name: string
  /** A lane is what waits for one target. */
  readonly table: DueTable<Row>
  readonly parallel: number
  /** No message waits longer than this for its first attempt. */
  readonly longestWaitMs: number
  readonly beforeWork?: () => Promise<void>
  readonly findTarget: (db: AnyDb, row: Row) => Promise<T | undefined>
  readonly send: (row: Row, target: T, stopping: AbortSignal) => Promise<Answer>
  /** Whether a target has failed too often, or for too long. */
  readonly isOver?: (failure: Failure, now: number) => boolean
  // Each of these joins the transaction that saves an outcome.
  readonly onDelivered: (trx: AnyDb, row: Row, target: T, status: number) => Promise<void>
  readonly onDropped: (trx: AnyDb, row: Row) => Promise<void>
  /** Records until when the target is left alone, and ends messages that are too old. */
  readonly onFailed: (trx: AnyDb, row: Row, target: T, failure: Failure) => Promise<void>
  /** Switches the target off, with a notice to those whom it concerns, and ends what waits for it. */
  readonly onEnded: (trx: AnyDb, row: Row, target: T, failure: Failure) => Promise<void>
  readonly afterEnd?: (row: Row, target: T, failure: Failure) => void
}

/**
 * Sends messages to targets that others run, at least once each and in order. While a target fails, only its oldest message is
 * tried, after growing pauses, and the others wait with it. With `fewestFirst`, another one is tried each time.
 */
export function startDeliveries<Row extends { due_at: number | null }, T extends Target>(
  ports: QueuePorts,
  given: Deliveries<Row, T>,
): Queue {
  const { database, clock } = ports
  const { table } = given
  const targets = new WeakMap<object, T>()

  /** What waits for a failing target waits with the message that is tried. */
  async function holdOthers(trx: AnyDb, row: Row, until: number): Promise<void> {
    const target = await given.findTarget(trx, row)
    if (target) targets.set(row, target)
    if (target && target.failures > 0) await moveLane(trx, table, row, { until, to: until })
  }

  async function letGo(trx: AnyDb, row: Row, { failures }: Target): Promise<void> {
    if (failures === 0) return
    await moveLane(trx, table, row, { until: Number(row.due_at), to: clock.now().getTime(), inTurn: true })
  }

  async function noteFailure(row: Row, target: T, status: number | null, isEnded: boolean): Promise<void> {
    const now = clock.now().getTime()
    const failure = failureAt(now, target, status)
    const isOver = isEnded || given.isOver?.(failure, now) === true
    await database.transaction(async (trx) => {
      if (isOver) return await given.onEnded(trx, row, target, failure)
      await given.onFailed(trx, row, target, failure)
      const until = Math.max(Number(row.due_at), failure.retryAt)
      await moveLane(trx, table, row, { until, to: failure.retryAt, inTurn: true })
    })
    if (isOver) given.afterEnd?.(row, target, failure)
  }

  return startQueue<Row>(ports, {
    name: given.name,
    table,
    parallel: given.parallel,
    slow: SLOW,
    claimMs: CLAIM_MS,
    retryMs: OUTAGE_MS,
    longestWaitMs: Math.max(given.longestWaitMs, LONGEST_PAUSE_MS),
    onClaim: holdOthers,
    ...(given.beforeWork && { beforeWork: given.beforeWork }),
    perform: async ([row], { stopping, release }) => {
      const target = targets.get(row)
      // Its messages were deleted with it.
      if (!target) return
      const answer = await given.send(row, target, stopping)
      const isCutOff = answer.what === 'failed' && answer.status === null && stopping.aborted
      if (isCutOff || answer.what === 'postponed') {
        const until = answer.what === 'postponed' ? answer.until : clock.now().getTime()
        await database.transaction(async (trx) => await release(trx, row, until))
      } else if (answer.what === 'failed' || answer.what === 'ended') {
        await noteFailure(row, target, answer.status, answer.what === 'ended')
      } else {
        await database.transaction(async (trx) => {
          if (answer.what === 'delivered') await given.onDelivered(trx, row, target, answer.status)
          else await given.onDropped(trx, row)
          await letGo(trx, row, target)
        })
      }
    },
  })
}

function failureAt(now: number, target: Target, status: number | null): Failure {
  const failures = target.failures + 1
  const retryAt = now + (RETRY_AFTER_MS[failures - 1] ?? LONGEST_PAUSE_MS)
  const since = Math.min(target.failing_since ?? now, now)
  return { status, failures, since, retryAt, endsBefore: retryAt - MESSAGE_LASTS_MS }
}

/**
 * When a message is due whose target is left alone until `retryAt`. A pause that was written by a clock ahead of time does
 * not count.
 */
export function afterPause(retryAt: number, now: number): number {
  return retryAt > now && retryAt <= now + LONGEST_PAUSE_MS ? retryAt : now
}
