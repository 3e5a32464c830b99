import type { AnyDb, Database } from '@marquee/platform/database/database'
import { takeTime } from '@marquee/platform/database/statement-runner'
import { startWorker, type Worker } from '@marquee/platform/queue/worker'
import type { Clock } from '@marquee/platform/runtime/clock'
import { SECOND_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { findRemoval, nextRemoval, type Removal, removeSome, setRemoval } from './removal-store.ts'

export type RemovalPorts = { readonly database: Database<unknown>; readonly clock: Clock }

/** A batch claims its removal for this long. After it another process continues the work of one that died. */
const CLAIM_MS = 10 * SECOND_MS
const RETRY_MS = 30 * SECOND_MS

/**
 * Removes the rows of hidden watchlists in the background, in batches of a few milliseconds. A batch is one transaction, so
 * a killed process loses nothing.
 */
export function startRemovals(ports: RemovalPorts & { readonly logger: Logger }): Worker {
  const { database, clock, logger } = ports
  return startWorker({
    clock,
    work: async (stopping) => {
      for (;;) {
        const due = await nextRemoval(database.read)
        if (due === undefined || due.dueAt > clock.now().getTime() || stopping.aborted) return due?.dueAt
        await removeHidden(ports, due, stopping)
      }
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the removal of watchlists failed')
    },
    retryMs: RETRY_MS,
  })
}

/** Removes all rows of a hidden watchlist at once. */
export async function removeNow(ports: RemovalPorts, watchlistId: string): Promise<void> {
  for (;;) {
    const removal = await findRemoval(ports.database.read, watchlistId)
    if (!removal) return
    await removeHidden(ports, removal)
  }
}

/** Removes all rows of a hidden watchlist, unless another process has taken that over. */
async function removeHidden(
  { database, clock }: RemovalPorts,
  { watchlistId, dueAt }: Removal,
  stopping?: AbortSignal,
): Promise<void> {
  let claimedUntil = dueAt
  let isOver = false
  while (!isOver && stopping?.aborted !== true) {
    await nextTurn()
    const until = clock.now().getTime() + CLAIM_MS
    isOver = await database.transaction(async (trx: AnyDb) => {
      // On PostgreSQL it also replaces plans of foreign keys from when the tables were small.
      await takeTime(trx)
      if (!(await setRemoval(trx, { watchlistId, dueAt: claimedUntil }, until))) return true
      return await removeSome(trx, watchlistId)
    })
    claimedUntil = until
  }
  if (!isOver) await release({ database, clock }, { watchlistId, dueAt: claimedUntil })
}

/** Lets another process continue at once. */
async function release({ database, clock }: RemovalPorts, claimed: Removal) {
  await database.transaction(async (trx) => await setRemoval(trx, claimed, clock.now().getTime()))
}
