import { IMPORT_UNDO_DAYS } from '@marquee/contract/limits'
import type { PublishedEvent } from '@marquee/contract/live-events'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { type DueWork, startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'

import { removeFromBox } from '../cards/service.ts'
import type { Posters } from '../posters/service.ts'
import type { User } from '../profiles/service.ts'
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

/** What a batch changed: whether the box, and the seen marks of which cards of the feed. */
type Batch = { readonly changesBox: boolean; readonly marked: readonly string[] }

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
export function startImportQueue(ports: QueuePorts): DueWork {
  const { database, clock, logger } = ports
  let sweepAt = 0

  async function workOnDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const claim = { now: clock.now(), until: inFuture(ports, CLAIM_MS) }
      if (((await nextDueAt(database.read)) ?? Infinity) > claim.now.getTime()) return
      const claimed = await database.transaction(async (trx) => await claimImport(trx, claim))
      if (!claimed) return
      try {
        await workOn(ports, claimed, stopping)
      } catch (error) {
        // The member has left, or the watchlist is gone.
        if (error instanceof Problem) {
          await setState(ports, claimed, claimed.state === 'undoing' ? 'applied' : 'cancelled', null)
        } else {
          logger.error({ err: error, importId: claimed.id }, 'an import failed and is tried again')
          await setState(ports, claimed, claimed.state, inFuture(ports, OUTAGE_MS))
        }
      }
    }
  }

  async function sweep(): Promise<void> {
    if (clock.now().getTime() < sweepAt) return
    sweepAt = inFuture(ports, HOUR_MS).getTime()
    await database.transaction(async (trx) => {
      await deleteOldImports(trx, inFuture(ports, -IMPORT_UNDO_DAYS * DAY_MS))
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

async function workOn(ports: QueuePorts, claimed: ImportRecord, stopping: AbortSignal): Promise<void> {
  const { database, clock, live, posters } = ports
  const { watchlist_id: watchlistId, username: by } = claimed
  let batch: Batch | undefined
  do {
    batch = await database.transaction(async (trx) => await runBatch(trx, ports, claimed))
    if (batch?.changesBox) live.publish({ kind: 'box-changed', watchlistId })
    for (const cardId of batch?.marked ?? []) live.publish({ kind: 'viewings-changed', watchlistId, cardId, by })
  } while (batch && !stopping.aborted)
  posters.wake()
  if (batch) await setState(ports, claimed, claimed.state, clock.now())
}

/** Undefined once there is nothing left to do. The watchlist is locked first, so that batches of one import never overlap. */
async function runBatch(trx: AnyDb, ports: QueuePorts, claimed: ImportRecord): Promise<Batch | undefined> {
  const { state } = claimed
  const key = keyOf(claimed)
  await authorize(trx, userOf(claimed), 'card.import', claimed.watchlist_id)
  const due_at = inFuture(ports, CLAIM_MS).getTime()
  if (!(await changeState(trx, key, { from: [state], state, due_at }))) return undefined
  const batch = state === 'undoing' ? await undo(trx, claimed) : await apply(trx, ports, claimed)
  if (batch) return batch
  await changeState(trx, key, { from: [state], state: state === 'undoing' ? 'undone' : 'applied', due_at: null })
  return undefined
}

async function apply(trx: AnyDb, ports: QueuePorts, claimed: ImportRecord): Promise<Batch | undefined> {
  const { watchlist_id: watchlistId, user_id: userId } = claimed
  const key = keyOf(claimed)
  const rows = await listRowsToApply(trx, key, BATCH)
  if (rows.length === 0) return undefined
  const at = ports.clock.now().toISOString()
  const isChosen = (row: RowRecord): boolean => row.is_chosen === 1
  const chosen = rows.filter(isChosen)
  const cardIdOf = await addMovies(trx, userOf(claimed), watchlistId, chosen, at)
  const added = chosen.filter((row) => cardIdOf(row) === row.card_id).map((row) => row.card_id)
  await ports.posters.requestPictures(trx, { watchlistId, userId }, added)
  const marked = await bringMarks(trx, claimed, { rows, cardIdOf }, at)
  await saveOutcome(trx, key, placesOf(chosen), 'added')
  await saveOutcome(trx, key, placesOf(rows.filter((row) => !isChosen(row))), 'marked')
  return { changesBox: chosen.length > 0, marked }
}

/** Removes the cards first, then the seen marks. */
async function undo(trx: AnyDb, claimed: ImportRecord): Promise<Batch | undefined> {
  const rows = await listRowsToUndo(trx, keyOf(claimed), BATCH)
  if (rows.length > 0) return { changesBox: await removeCards(trx, claimed, rows), marked: [] }
  const { count, inFeed } = await takeBackMarks(trx, claimed, BATCH)
  return count > 0 ? { changesBox: false, marked: inFeed } : undefined
}

/** A card that left the box or was changed is kept. One that its member deleted counts as removed. */
async function removeCards(trx: AnyDb, claimed: ImportRecord, rows: readonly RowRecord[]): Promise<boolean> {
  const ids = rows.map((row) => row.card_id)
  const { changesBox, kept } = await removeFromBox(trx, userOf(claimed), claimed.watchlist_id, ids)
  const isKept = (row: RowRecord): boolean => kept.has(row.card_id)
  const key = keyOf(claimed)
  await saveOutcome(trx, key, placesOf(rows.filter(isKept)), 'kept')
  await saveOutcome(trx, key, placesOf(rows.filter((row) => !isKept(row))), 'removed')
  return changesBox
}

async function setState(
  { database }: QueuePorts,
  claimed: ImportRecord,
  state: ImportRecord['state'],
  dueAt: Date | null,
): Promise<void> {
  const change = { from: [claimed.state], state, due_at: dueAt === null ? null : dueAt.getTime() }
  await database.transaction(async (trx) => {
    await changeState(trx, keyOf(claimed), change)
  })
}

function inFuture({ clock }: QueuePorts, ms: number): Date {
  return new Date(clock.now().getTime() + ms)
}

function keyOf({ user_id: userId, id: importId }: ImportRecord) {
  return { userId, importId }
}

function userOf({ user_id: userId, username }: ImportRecord): User {
  return { userId, username }
}

function placesOf(rows: readonly RowRecord[]): number[] {
  return rows.map(({ place }) => place)
}
