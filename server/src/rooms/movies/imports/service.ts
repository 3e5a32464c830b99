import type { DataExport } from '@marquee/contract/entities/account'
import type { ImportGroup, ImportReview, ImportState, MovieImport } from '@marquee/contract/entities/import'
import { IMPORT_UNDO_DAYS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { pageOf } from '@marquee/contract/rules/page'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'
import { inParts } from '@marquee/platform/database/parts'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Queue } from '@marquee/platform/queue/queue'
import type { Random } from '@marquee/platform/runtime/random'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { type KnownCard, knownAmong, knownCards, knownWants, knownWantsAmong } from '../cards/service.ts'
import { lockPerson, type User } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import { createMatcher, namesOf } from './matching.ts'
import type { ImportedRow } from './parse.ts'
import { presentImport, presentOwnRow, presentRow, undoEndsAt } from './present.ts'
import type { UploadHead, UploadPart } from './read-upload.ts'
import {
  changeState,
  countRows,
  deleteImportsOf,
  deleteReviews,
  deleteUnfinished,
  findImport,
  findRows,
  type ImportKey,
  type ImportRecord,
  insertImport,
  insertRows,
  listAllImportsOf,
  listImportsOf,
  listRows,
  type RowRecord,
  saveChoice,
} from './store.ts'

export type ImportPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly imports: Pick<Queue, 'wake'>
}

export type BeginPorts = ImportPorts & {
  /** The database without a stored reply. */
  readonly slices: Database<unknown>
  readonly parser: { readonly parseUpload: (body: Buffer, userId: string) => AsyncIterable<UploadPart> }
}

/** One import of the caller. */
type Place = { readonly watchlistId: string; readonly importId: string }

const MAX_LISTED = 20
const EXPORTED_AT_ONCE = 500
const HAS_BEGUN = 'This import has already been applied or cancelled'

/**
 * Reads a file and groups its rows. Replaces a review that the member has not finished. The rows are saved in short
 * transactions of `slices`; until the last transaction the import looks like a cancelled one.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the file cannot be read, or another import is running;
 * SERVICE_UNAVAILABLE.
 */
export async function beginImport(
  { database, slices, clock, random, parser }: BeginPorts,
  user: User,
  watchlistId: string,
  body: Buffer,
): Promise<MovieImport> {
  const key = { userId: user.userId, importId: random.orderedId() }
  await requireNoneRunning(slices.read, user, watchlistId)
  const { head, rows } = await readAll(parser.parseUpload(body, user.userId))
  const record: ImportRecord = {
    user_id: user.userId,
    id: key.importId,
    watchlist_id: watchlistId,
    username: user.username,
    file_name: head.fileName,
    format: head.format,
    state: 'cancelled',
    problems: JSON.stringify(head.problems),
    problem_count: head.problemCount,
    created_at: clock.now().toISOString(),
    due_at: null,
    applied_at: null,
  }
  await slices.transaction(async (trx) => await insertImport(trx, record))
  try {
    for await (const part of groupRows(slices.read, user, watchlistId, rows)) {
      const withKeys = part.map((row) => ({
        ...row,
        user_id: key.userId,
        import_id: key.importId,
        card_id: random.orderedId(),
      }))
      await slices.transaction(async (trx) => await insertRows(trx, withKeys))
    }
    return await database.transaction(async (trx) => {
      // Of two files that are read at the same time, one replaces the review of the other.
      await lockPerson(trx, user)
      await requireNoneRunning(trx, user, watchlistId)
      await deleteReviews(trx, user.userId, watchlistId)
      await changeState(trx, key, { from: ['cancelled'], state: 'review', due_at: null })
      return presentImport({ ...record, state: 'review' }, await countRows(trx, key))
    })
  } catch (error) {
    // A connection that broke during the commit does not tell whether the review is saved.
    await slices.transaction(async (trx) => await deleteUnfinished(trx, key))
    throw error
  }
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
async function requireNoneRunning(db: AnyDb, user: User, watchlistId: string): Promise<void> {
  await authorizeRead(db, user, 'card.import', watchlistId)
  const newest = await listImportsOf(db, { userId: user.userId, watchlistId, limit: MAX_LISTED })
  if (newest.some(({ state }) => isRunning(state)))
    throw new Problem('BAD_REQUEST', 'Your last import is still running')
}

async function readAll(parts: AsyncIterable<UploadPart>): Promise<{ head: UploadHead; rows: ImportedRow[] }> {
  let head: UploadHead | undefined
  const rows: ImportedRow[] = []
  for await (const part of parts) {
    await nextTurn()
    if ('format' in part) head = part
    else rows.push(...part)
  }
  if (!head) throw new Error('An upload has no head')
  return { head, rows }
}

const GROUPED_AT_ONCE = 100

/**
 * Compares the rows with what the member may know of, some rows at a time. Other members' cards in the box have no influence on
 * the result, unless the member wants them. Of a large watchlist only the cards that resemble a row are kept.
 */
async function* groupRows(
  db: AnyDb,
  user: User,
  watchlistId: string,
  rows: readonly ImportedRow[],
): AsyncGenerator<Omit<RowRecord, 'user_id' | 'import_id' | 'card_id'>[]> {
  const named = new Set<string>()
  for (const part of inParts(rows, GROUPED_AT_ONCE)) {
    await nextTurn()
    for (const row of part) for (const name of namesOf(row)) named.add(name)
  }
  const matcher = createMatcher()
  const isNamed = (card: KnownCard): boolean => namesOf(card).some((name) => named.has(name))
  for await (const card of knownCards(db, user, watchlistId)) if (isNamed(card)) matcher.addCard(card.id, card)
  for await (const want of knownWants(db, user, watchlistId)) if (isNamed(want)) matcher.addCard(want.id, want)
  const hasUnseen = rows.some(({ isSeen }) => !isSeen)
  let place = 0
  for (const part of inParts(rows, GROUPED_AT_ONCE)) {
    await nextTurn()
    yield part.map(({ file, row, title, movie, isSeen, mark }) => {
      const match = matcher.addRow(place, { title, movie })
      place += 1
      // Of an export with a watchlist, the watchlist is what the member wants to see.
      const isWanted = match.group === 'new' && !(isSeen && hasUnseen)
      return {
        place: place - 1,
        file,
        file_row: row,
        title,
        movie: JSON.stringify(movie),
        is_seen: mark === null ? 0 : 1,
        seen_on: mark?.seenOn ?? null,
        half_stars: mark?.halfStars ?? null,
        category: match.group,
        match_card_id: match.cardId,
        match_place: match.sameAs,
        is_chosen: isWanted ? 1 : 0,
        outcome: null,
      }
    })
  }
}

/** The caller's imports into a watchlist, newest first. */
export async function listImports(
  { database }: ImportPorts,
  { userId }: User,
  watchlistId: string,
): Promise<MovieImport[]> {
  const records = await listImportsOf(database.read, { userId, watchlistId, limit: MAX_LISTED })
  return await together(
    ...records.map(async (record) => presentImport(record, await countRows(database.read, keyOf(record)))),
  )
}

type ExportedImport = DataExport['imports'][number]
type WithRows = {
  readonly head: Omit<ExportedImport, 'rows'>
  readonly rows: AsyncIterable<ExportedImport['rows'][number]>
}

/** All imports of a user, for the export of their data. Their rows are read in pages while they are consumed. */
export async function* exportImports(
  { database: { read } }: Pick<ImportPorts, 'database'>,
  { userId }: User,
): AsyncGenerator<WithRows> {
  for (const record of await listAllImportsOf(read, userId)) {
    const key = keyOf(record)
    yield { head: presentImport(record, await countRows(read, key)), rows: exportRows(read, key) }
  }
}

async function* exportRows(db: AnyDb, key: ImportKey): AsyncGenerator<ExportedImport['rows'][number]> {
  for (let after = -1; ;) {
    const rows = await listRows(db, key, { group: undefined, after, limit: EXPORTED_AT_ONCE })
    yield* rows.map(presentOwnRow)
    const last = rows.at(-1)
    if (last === undefined || rows.length < EXPORTED_AT_ONCE) return
    after = last.place
  }
}

/** An import with a page of its rows. @throws {Problem} NOT_FOUND if it is not the caller's. */
export async function getImport(
  { database: { read } }: ImportPorts,
  user: User,
  { watchlistId, importId }: Place,
  { group, limit, nextToken }: { group?: ImportGroup | undefined; limit: number; nextToken?: string | undefined },
): Promise<ImportReview> {
  const key = { userId: user.userId, importId }
  const record = await requireImport(read, user, { watchlistId, importId })
  const found = await listRows(read, key, { group, after: Number(nextToken ?? -1), limit: limit + 1 })
  const { shown: rows, nextToken: next } = pageOf(found, limit, ({ place }) => String(place))
  const cards = new Map<string, KnownCard>()
  const cardIds = rows.flatMap(({ match_card_id: id }) => id ?? [])
  if (cardIds.length > 0) {
    for (const card of await knownAmong(read, user, watchlistId, cardIds)) cards.set(card.id, card)
    for (const want of await knownWantsAmong(read, user, watchlistId, cardIds)) cards.set(want.id, want)
  }
  const places = rows.flatMap(({ match_place: place }) => place ?? [])
  const others = new Map((await findRows(read, key, places)).map((row) => [row.place, row]))
  return {
    ...presentImport(record, await countRows(read, key)),
    rows: rows.map((row) => presentRow(row, { cards, others })),
    nextToken: next,
  }
}

/**
 * Chooses which rows become cards.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST once the import is applied.
 */
export async function chooseImportRows(
  ports: ImportPorts,
  user: User,
  place: Place,
  { rows, ...choice }: { rows?: number[] | undefined; group?: ImportGroup | undefined; isChosen: boolean },
): Promise<MovieImport> {
  return await changeImport(ports, user, place, async (trx, key) => {
    // The row of the import stays locked, so it cannot be applied meanwhile.
    const isOpen = await changeState(trx, key, { from: ['review'], state: 'review', due_at: null })
    if (!isOpen) throw new Problem('BAD_REQUEST', HAS_BEGUN)
    await saveChoice(trx, key, { ...choice, places: rows })
  })
}

/**
 * Begins to add the chosen rows and to save seen marks, in the background. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it was cancelled, or there is nothing to do.
 */
export async function applyImport(ports: ImportPorts, user: User, place: Place): Promise<MovieImport> {
  const applied = await changeImport(ports, user, place, async (trx, key, { state }) => {
    if (state === 'applying' || state === 'applied') return
    const now = ports.clock.now()
    const begun = { state: 'applying', due_at: now.getTime(), applied_at: now.toISOString() } as const
    if (!(await changeState(trx, key, { from: ['review'], ...begun }))) {
      throw new Problem('BAD_REQUEST', HAS_BEGUN)
    }
    const counts = await countRows(trx, key)
    if (!counts.some((row) => row.is_chosen === 1 || row.is_seen === 1))
      throw new Problem('BAD_REQUEST', 'No row is chosen')
  })
  ports.imports.wake()
  return applied
}

/**
 * Stops an import. What it has added stays.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is being undone.
 */
export async function cancelImport(ports: ImportPorts, user: User, place: Place): Promise<MovieImport> {
  return await changeImport(ports, user, place, async (trx, key) => {
    if (await changeState(trx, key, { from: ['review', 'applying'], state: 'cancelled', due_at: null })) return
    const now = await findImport(trx, key)
    if (now?.state !== 'cancelled' && now?.state !== 'applied')
      throw new Problem('BAD_REQUEST', 'It is too late to cancel')
  })
}

/**
 * Begins to remove the cards and seen marks that an import brought, in the background. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is too late, or nothing was added.
 */
export async function undoImport(ports: ImportPorts, user: User, place: Place): Promise<MovieImport> {
  const now = ports.clock.now()
  const undone = await changeImport(ports, user, place, async (trx, key, record) => {
    if (record.state === 'undoing' || record.state === 'undone') return
    if (now.getTime() > undoEndsAt(record)) {
      throw new Problem('BAD_REQUEST', `An import can be undone for ${IMPORT_UNDO_DAYS} days`)
    }
    const change = { from: ['applied', 'cancelled'] as const, state: 'undoing', due_at: now.getTime() } as const
    const hasAdded = (await countRows(trx, key)).some((row) => row.outcome === 'added' || row.outcome === 'marked')
    if (!hasAdded || !(await changeState(trx, key, change))) {
      throw new Problem('BAD_REQUEST', 'This import has added nothing that can be removed')
    }
  })
  ports.imports.wake()
  return undone
}

/** Removes the imports of a user whose account is deleted. Their cards stay. */
export async function forgetImports(trx: AnyDb, userId: string): Promise<void> {
  await deleteImportsOf(trx, userId)
}

/** Changes an import in a transaction, and returns it as it is then. */
async function changeImport(
  { database }: ImportPorts,
  user: User,
  place: Place,
  change: (trx: AnyDb, key: { userId: string; importId: string }, record: ImportRecord) => Promise<void>,
): Promise<MovieImport> {
  return await database.transaction(async (trx) => {
    const record = await requireImport(trx, user, place)
    await change(trx, keyOf(record), record)
    return presentImport(await requireImport(trx, user, place), await countRows(trx, keyOf(record)))
  })
}

async function requireImport(db: AnyDb, user: User, { watchlistId, importId }: Place): Promise<ImportRecord> {
  await authorizeRead(db, user, 'card.import', watchlistId)
  const record = await findImport(db, { userId: user.userId, importId })
  if (record?.watchlist_id !== watchlistId) throw new Problem('NOT_FOUND')
  return record
}

function keyOf({ user_id: userId, id: importId }: ImportRecord) {
  return { userId, importId }
}

function isRunning(state: ImportState): boolean {
  return state === 'applying' || state === 'undoing'
}
