import { IMPORT_UNDO_DAYS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { type Queue, type QueuePorts as Ports, startQueue } from '@marquee/platform/queue/queue'

import { removeFromBox } from '../cards/service.ts'
import type { Posters } from '../posters/service.ts'
import type { User } from '../profiles/service.ts'
import { type ChangePorts, changeWatchlist } from '../watchlists/service.ts'
import { addMovies } from './add-movies.ts'
import { bringMarks, takeBackMarks } from './seen-marks.ts'
import {
  changeState,
  deleteOldImports,
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

const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS
const BATCH = 100
const PARALLEL = 2
/**
 * A batch claims its import for this long. After it another process continues the work of one that died. Should both work
 * on it, the lock on the watchlist lets their batches run one after the other.
 */
const CLAIM_MS = 3 * SECOND_MS
const OUTAGE_MS = 30 * SECOND_MS

/**
 * Applies and undoes imports in the background. A batch is one transaction that adds cards and notes it on their rows, so a
 * killed process loses and doubles nothing. After each batch it is the turn of the next user.
 */
export function startImportQueue(ports: QueuePorts): Queue {
  const { database, clock } = ports
  let sweepAt = 0

  async function sweep(): Promise<boolean> {
    if (clock.now().getTime() < sweepAt) return false
    sweepAt = inFuture(ports, HOUR_MS).getTime()
    await database.transaction(async (trx) => {
      await deleteOldImports(trx, inFuture(ports, -IMPORT_UNDO_DAYS * DAY_MS))
    })
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
    perform: async ([claimed]) => {
      await workOn(ports, claimed)
    },
  })
}

async function workOn(ports: QueuePorts, claimed: ImportRecord): Promise<void> {
  try {
    await runBatch(ports, claimed)
    ports.posters.wake()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The member has left, or the watchlist is gone.
    const change = { from: [claimed.state], state: claimed.state === 'undoing' ? 'applied' : 'cancelled' } as const
    await ports.database.transaction(async (trx) => {
      await changeState(trx, keyOf(claimed), { ...change, due_at: null })
    })
  }
}

/** The watchlist is locked first, so that batches of one import never overlap. */
async function runBatch(ports: QueuePorts, claimed: ImportRecord): Promise<void> {
  const { state, watchlist_id: watchlistId } = claimed
  const key = keyOf(claimed)
  await changeWatchlist(ports, userOf(claimed), 'card.import', { watchlistId }, async ({ trx, now, happened }) => {
    // The next batch is due at once.
    const due_at = now.getTime()
    if (!(await changeState(trx, key, { from: [state], state, due_at }))) return
    const batch = state === 'undoing' ? await undo(trx, claimed) : await apply(trx, ports, claimed)
    if (batch === undefined) {
      await changeState(trx, key, { from: [state], state: state === 'undoing' ? 'undone' : 'applied', due_at: null })
      return
    }
    if (batch.changesBox) happened('box.changed')
    for (const cardId of batch.marked) happened('viewing.changed', { cardId })
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
