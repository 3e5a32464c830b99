import { IMPORT_UNDO_DAYS } from '@marquee/contract/limits'
import type { PublishedEvent } from '@marquee/contract/live-events'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { type DueWork, startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'

import { removeFromBox } from '../cards/service.ts'
import type { Posters } from '../posters/service.ts'
import { authorize } from '../watchlists/service.ts'
import { addMovies } from './add-movies.ts'
import { bringMarks, takeBackMarks } from './seen-marks.ts'
import {
  changeState,
  claimImport,
  deleteOldImports,
  type ImportRecord,
  listRowsToApply,
  listRowsToUndo,
  nextDueAt,
  type RowRecord,
  saveOutcome,
} from './store.ts'

type QueuePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly logger: Logger
  readonly live: { publish: (event: PublishedEvent) => void }
  readonly posters: Pick<Posters, 'requestPictures' | 'wake'>
}

/** What a batch did: whether the box changed, which cards of the feed have other seen marks, and whether there is more to do. */
type Batch = { readonly changesBox: boolean; readonly marked?: readonly string[]; readonly isLast: boolean }

const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
const BATCH = 100
/**
 * Each batch claims its import for this long. After it another process continues the work of one that died. Should both work
 * on it, the lock on the watchlist lets their batches run one after the other.
 */
const CLAIM_MS = 3 * SECOND_MS
const OUTAGE_MS = 30 * SECOND_MS

/**
 * Applies and undoes imports in the background. A batch is one transaction that adds cards and notes it on their rows, so a
 * killed process loses and doubles nothing.
 */
export function startImportQueue({ database, clock, logger, live, posters }: QueuePorts): DueWork {
  let sweepAt = 0

  const inFuture = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function work(claimed: ImportRecord, stopping: AbortSignal): Promise<void> {
    let isLast = false
    while (!isLast && !stopping.aborted) {
      const batch = await database.transaction(async (trx) => await runBatch(trx, claimed))
      if (batch.changesBox) live.publish({ kind: 'box-changed', watchlistId: claimed.watchlist_id })
      const { watchlist_id: watchlistId, username: by } = claimed
      for (const cardId of batch.marked ?? []) live.publish({ kind: 'viewings-changed', watchlistId, cardId, by })
      ;({ isLast } = batch)
    }
    posters.wake()
    if (!isLast) await setState(claimed, claimed.state, clock.now())
  }

  /** The watchlist is locked first, so that batches of one import never overlap. */
  async function runBatch(trx: AnyDb, claimed: ImportRecord): Promise<Batch> {
    const { state, watchlist_id: watchlistId, user_id: userId, username, id: importId } = claimed
    const user = { userId, username }
    const key = { userId, importId }
    await authorize(trx, user, 'card.import', watchlistId)
    const isOurs = await changeState(trx, key, { from: [state], state, due_at: inFuture(CLAIM_MS).getTime() })
    if (!isOurs) return { changesBox: false, isLast: true }
    const isUndo = state === 'undoing'
    const rows = isUndo ? await listRowsToUndo(trx, key, BATCH) : await listRowsToApply(trx, key, BATCH)
    if (isUndo && rows.length === 0) {
      const { count, inFeed } = await takeBackMarks(trx, claimed, BATCH)
      if (count > 0) return { changesBox: false, marked: inFeed, isLast: false }
    }
    if (rows.length === 0) {
      await changeState(trx, key, { from: [state], state: isUndo ? 'undone' : 'applied', due_at: null })
      return { changesBox: false, isLast: true }
    }
    if (isUndo) return { changesBox: await removeCards(trx, claimed, rows), isLast: false }
    const at = clock.now().toISOString()
    const isChosen = (row: RowRecord): boolean => row.is_chosen === 1
    const chosen = rows.filter(isChosen)
    const cardIdOf = await addMovies(trx, user, watchlistId, chosen, at)
    const added = chosen.filter((row) => cardIdOf(row) === row.card_id).map((row) => row.card_id)
    await posters.requestPictures(trx, { watchlistId, userId }, added)
    const marked = await bringMarks(trx, claimed, { rows, cardIdOf }, at)
    await saveOutcome(trx, key, placesOf(chosen), 'added')
    await saveOutcome(trx, key, placesOf(rows.filter((row) => !isChosen(row))), 'marked')
    return { changesBox: chosen.length > 0, marked, isLast: false }
  }

  /** A card that left the box or was changed is kept. One that its member deleted counts as removed. */
  async function removeCards(trx: AnyDb, claimed: ImportRecord, rows: readonly RowRecord[]): Promise<boolean> {
    const { watchlist_id: watchlistId, user_id: userId, id: importId } = claimed
    const ids = rows.map((row) => row.card_id)
    const { changesBox, kept } = await removeFromBox(trx, { userId }, watchlistId, ids)
    const isKept = (row: RowRecord): boolean => kept.has(row.card_id)
    const key = { userId, importId }
    await saveOutcome(trx, key, placesOf(rows.filter(isKept)), 'kept')
    await saveOutcome(trx, key, placesOf(rows.filter((row) => !isKept(row))), 'removed')
    return changesBox
  }

  async function setState(claimed: ImportRecord, state: ImportRecord['state'], dueAt: Date | null): Promise<void> {
    const change = { from: [claimed.state], state, due_at: dueAt === null ? null : dueAt.getTime() }
    await database.transaction(async (trx) => {
      await changeState(trx, { userId: claimed.user_id, importId: claimed.id }, change)
    })
  }

  async function workOnDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const claim = { now: clock.now(), until: inFuture(CLAIM_MS) }
      if (((await nextDueAt(database.read)) ?? Infinity) > claim.now.getTime()) return
      const claimed = await database.transaction(async (trx) => await claimImport(trx, claim))
      if (!claimed) return
      try {
        await work(claimed, stopping)
      } catch (error) {
        // The member has left, or the watchlist is gone.
        if (error instanceof Problem)
          await setState(claimed, claimed.state === 'undoing' ? 'applied' : 'cancelled', null)
        else {
          logger.error({ err: error, importId: claimed.id }, 'an import failed and is tried again')
          await setState(claimed, claimed.state, inFuture(OUTAGE_MS))
        }
      }
    }
  }

  async function sweep(): Promise<void> {
    if (clock.now().getTime() < sweepAt) return
    sweepAt = inFuture(HOUR_MS).getTime()
    await database.transaction(async (trx) => {
      await deleteOldImports(trx, inFuture(-IMPORT_UNDO_DAYS * DAY_MS))
    })
  }

  return startDueWork({
    clock,
    work: async (stopping) => {
      await workOnDue(stopping)
      if (!stopping.aborted) await sweep()
      return await nextDueAt(database.read)
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the import queue failed')
    },
    retryMs: OUTAGE_MS,
  })
}

function placesOf(rows: readonly RowRecord[]): number[] {
  return rows.map(({ place }) => place)
}
