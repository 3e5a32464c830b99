import { IMPORT_UNDO_DAYS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { type Queue, type QueuePorts as Ports, startQueue } from '@marquee/platform/queue/queue'
import { inFuture } from '@marquee/platform/runtime/clock'
import { DAY_MS, HOUR_MS, SECOND_MS } from '@marquee/platform/runtime/durations'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { removeFromBox } from '../cards/service.ts'
import type { Posters } from '../posters/service.ts'
import type { User } from '../../club/people/service.ts'
import { type ChangePorts, changeWatchlist } from '../../club/watchlists/service.ts'
import { addMovies } from './add-movies.ts'
import { bringMarks, takeBackMarks } from './seen-marks.ts'
import {
  changeState,
  deleteOldImport,
  type ImportRecord,
  listRowsToApply,
  listRowsToUndo,
  type RowRecord,
  RUNNING_IMPORTS,
  saveOutcome,
} from './store.ts'

type QueuePorts = Ports &
  ChangePorts & {
    readonly posters: Pick<Posters, 'requestPictures' | 'wake'>
  }

/** What a batch changed: whether the box, and the seen marks of which cards of the feed. */
type Batch = { readonly changesBox: boolean; readonly marked: readonly string[] }

/** So many rows take a few milliseconds. */
const BATCH = 50
/** Members hear of the box once per hundred rows. */
const BATCHES_PER_TURN = 2
const PARALLEL = 2
/**
 * A batch claims its import for this long. After it another process continues the work of one that died. Should both work
 * on it, the lock on the watchlist lets their batches run one after the other.
 */
const CLAIM_MS = 3 * SECOND_MS
const OUTAGE_MS = 30 * SECOND_MS

/**
 * Applies and undoes imports in the background. A batch is one transaction that adds cards and notes it on their rows, so a
 * killed process loses and doubles nothing. After some batches it is the turn of the next user.
 */
export function startImportQueue(ports: QueuePorts): Queue {
  const { database, clock } = ports
  let sweepAt = 0

  async function sweep(): Promise<boolean> {
    if (clock.now().getTime() < sweepAt) return false
    sweepAt = inFuture(clock, HOUR_MS).getTime()
    const before = inFuture(clock, -IMPORT_UNDO_DAYS * DAY_MS)
    do await nextTurn()
    while (await database.transaction(async (trx) => await deleteOldImport(trx, before)))
    return false
  }

  return startQueue<ImportRecord>(ports, {
    name: 'imports',
    table: RUNNING_IMPORTS,
    parallel: PARALLEL,
    claimMs: CLAIM_MS,
    retryMs: OUTAGE_MS,
    longestWaitMs: OUTAGE_MS,
    whenIdle: sweep,
    perform: async ([claimed], { stopping }) => await workOn(ports, claimed, stopping),
  })
}

async function workOn(ports: QueuePorts, claimed: ImportRecord, stopping: AbortSignal): Promise<void> {
  const { database, facts, posters, clock } = ports
  let changesBox = false
  try {
    let isOver = false
    for (let left = BATCHES_PER_TURN; left > 0 && !isOver; left -= 1) {
      await nextTurn()
      const isLast = left === 1 || stopping.aborted
      const batch = await runBatch(ports, claimed, inFuture(clock, isLast ? 0 : CLAIM_MS).getTime())
      changesBox ||= batch?.changesBox === true
      isOver = isLast || batch === undefined
    }
    posters.wake()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The member has left, or the watchlist is gone.
    const change = { from: [claimed.state], state: claimed.state === 'undoing' ? 'applied' : 'cancelled' } as const
    await database.transaction(async (trx) => await changeState(trx, keyOf(claimed), { ...change, due_at: null }))
  } finally {
    if (changesBox) {
      const { watchlist_id: watchlistId, username: by } = claimed
      facts.publish([{ name: 'box.changed', watchlistId, by, at: clock.now().toISOString() }])
    }
  }
}

/**
 * Undefined once there is nothing left to do. The watchlist is locked first, so that batches of one import never overlap. The
 * next batch is due at `due_at`.
 */
async function runBatch(ports: QueuePorts, claimed: ImportRecord, due_at: number): Promise<Batch | undefined> {
  const { state, watchlist_id: watchlistId } = claimed
  const key = keyOf(claimed)
  return await changeWatchlist(ports, userOf(claimed), 'card.import', { watchlistId }, async ({ trx, happened }) => {
    if (!(await changeState(trx, key, { from: [state], state, due_at }))) return undefined
    const batch = state === 'undoing' ? await undo(trx, claimed) : await apply(trx, ports, claimed)
    if (batch === undefined) {
      await changeState(trx, key, { from: [state], state: state === 'undoing' ? 'undone' : 'applied', due_at: null })
      return undefined
    }
    for (const cardId of batch.marked) happened('viewing.changed', { cardId })
    return batch
  })
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

function keyOf({ user_id: userId, id: importId }: ImportRecord) {
  return { userId, importId }
}

function userOf({ user_id: userId, username }: ImportRecord): User {
  return { userId, username }
}

function placesOf(rows: readonly RowRecord[]): number[] {
  return rows.map(({ place }) => place)
}
