import { sql } from 'kysely'

import type { ImportFormat, ImportGroup, ImportState } from '@marquee/contract/entities/import'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import type { DueTable } from '@marquee/platform/queue/store'

export type ImportTables = {
  movie_import: {
    user_id: string
    id: string
    watchlist_id: string
    username: string
    file_name: string
    format: ImportFormat
    state: ImportState
    /** A JSON array in the shape of the contract. */
    problems: string
    problem_count: number
    created_at: string
    due_at: number | null
    /** Null before it is applied, and for imports that an earlier version has applied. */
    applied_at: string | null
  }
  import_row: {
    user_id: string
    import_id: string
    place: number
    file: string | null
    file_row: number
    title: string
    /** JSON in the shape of the contract. */
    movie: string
    /** Whether the member has seen the movie, and as far as known when and with which rating. */
    is_seen: number
    seen_on: string | null
    half_stars: number | null
    category: ImportGroup
    match_card_id: string | null
    match_place: number | null
    is_chosen: number
    card_id: string
    /** Null until the row is applied. */
    outcome: Outcome | null
  }
}

/**
 * What became of a row: its card was added, then by an undo removed, or kept because it is no longer as it was added. A row that
 * did not become a card, but has a seen mark, is `marked`.
 */
type Outcome = 'added' | 'removed' | 'kept' | 'marked'

export type ImportKey = { readonly userId: string; readonly importId: string }
export type ImportRecord = ImportTables['movie_import']
export type RowRecord = ImportTables['import_row']

const tables = withTables<ImportTables>

/** Imports that are being applied or undone. A user has one at a time. */
export const RUNNING_IMPORTS: DueTable<ImportRecord> = { name: 'movie_import', key: ['user_id', 'id'], lane: 1 }

export async function insertImport(db: AnyDb, record: ImportRecord): Promise<void> {
  await tables(db).insertInto('movie_import').values(record).execute()
}

/** At most a few hundred rows. */
export async function insertRows(db: AnyDb, rows: readonly RowRecord[]): Promise<void> {
  await tables(db).insertInto('import_row').values(rows).execute()
}

async function deleteImport(db: AnyDb, { userId, importId }: ImportKey): Promise<void> {
  await tables(db).deleteFrom('movie_import').where('user_id', '=', userId).where('id', '=', importId).execute()
}

/** Deletes an import whose rows were being saved, unless it is a review by now. */
export async function deleteUnfinished(db: AnyDb, { userId, importId }: ImportKey): Promise<void> {
  await tables(db)
    .deleteFrom('movie_import')
    .where('user_id', '=', userId)
    .where('id', '=', importId)
    .where('state', '=', 'cancelled')
    .execute()
}

function importByKey(db: AnyDb, { userId, importId }: ImportKey) {
  return tables(db).selectFrom('movie_import').where('user_id', '=', userId).where('id', '=', importId)
}

export async function findImport(db: AnyDb, key: ImportKey): Promise<ImportRecord | undefined> {
  return await importByKey(db, key).selectAll().executeTakeFirst()
}

/** The imports of a user into a watchlist, newest first. */
export async function listImportsOf(
  db: AnyDb,
  { userId, watchlistId, limit }: { userId: string; watchlistId: string; limit: number },
): Promise<ImportRecord[]> {
  return await tables(db)
    .selectFrom('movie_import')
    .selectAll()
    .where('user_id', '=', userId)
    .where('watchlist_id', '=', watchlistId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** All imports of a user, oldest first. */
export async function listAllImportsOf(db: AnyDb, userId: string): Promise<ImportRecord[]> {
  return await tables(db).selectFrom('movie_import').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

/** Changes the state of an import that is in one of the states `from`; false if it is not. */
export async function changeState(
  db: AnyDb,
  { userId, importId }: ImportKey,
  { from, ...change }: { from: readonly ImportState[]; state: ImportState; due_at: number | null; applied_at?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('movie_import')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', '=', importId)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteReviews(db: AnyDb, userId: string, watchlistId: string): Promise<void> {
  await tables(db)
    .deleteFrom('movie_import')
    .where('user_id', '=', userId)
    .where('watchlist_id', '=', watchlistId)
    .where('state', '=', 'review')
    .execute()
}

export async function deleteImportsOf(db: AnyDb, userId: string): Promise<void> {
  await tables(db).deleteFrom('movie_import').where('user_id', '=', userId).execute()
}

function rowsOf(db: AnyDb, { userId, importId }: ImportKey) {
  return tables(db).selectFrom('import_row').where('user_id', '=', userId).where('import_id', '=', importId)
}

export type RowCount = Pick<RowRecord, 'category' | 'is_chosen' | 'is_seen' | 'outcome'> & { count: number }

/** How many rows there are of each kind. */
export async function countRows(db: AnyDb, key: ImportKey): Promise<RowCount[]> {
  return await rowsOf(db, key)
    .select((eb) => ['category', 'is_chosen', 'is_seen', 'outcome', eb.fn.countAll<number>().as('count')])
    .groupBy(['category', 'is_chosen', 'is_seen', 'outcome'])
    .execute()
}

/** Rows in their order, after a place. */
export async function listRows(
  db: AnyDb,
  key: ImportKey,
  { group, after, limit }: { group: ImportGroup | undefined; after: number; limit: number },
): Promise<RowRecord[]> {
  return await rowsOf(db, key)
    .selectAll()
    .where('place', '>', after)
    .$if(group !== undefined, (query) => query.where('category', '=', group as ImportGroup))
    .orderBy('place')
    .limit(limit)
    .execute()
}

export async function findRows(db: AnyDb, key: ImportKey, places: readonly number[]): Promise<RowRecord[]> {
  if (places.length === 0) return []
  return await rowsOf(db, key).selectAll().where('place', 'in', places).execute()
}

/** Chooses rows, or no longer. Without `places`, all of the group. */
export async function saveChoice(
  db: AnyDb,
  { userId, importId }: ImportKey,
  {
    isChosen,
    places,
    group,
  }: { isChosen: boolean; places?: readonly number[] | undefined; group?: ImportGroup | undefined },
): Promise<void> {
  await tables(db)
    .updateTable('import_row')
    .set({ is_chosen: isChosen ? 1 : 0 })
    .where('user_id', '=', userId)
    .where('import_id', '=', importId)
    .$if(places !== undefined, (query) => query.where('place', 'in', places as number[]))
    .$if(group !== undefined, (query) => query.where('category', '=', group as ImportGroup))
    .execute()
}

/** The next rows that are to become cards, or whose seen marks are to be saved. */
export async function listRowsToApply(db: AnyDb, key: ImportKey, limit: number): Promise<RowRecord[]> {
  return await rowsOf(db, key)
    .selectAll()
    // Literal, not bound: the index is partial.
    .where(sql<boolean>`outcome is null and (is_chosen = 1 or is_seen = 1)`)
    .orderBy('place')
    .limit(limit)
    .execute()
}

/** The next rows whose cards an undo has not looked at. */
export async function listRowsToUndo(db: AnyDb, key: ImportKey, limit: number): Promise<RowRecord[]> {
  return await rowsOf(db, key)
    .selectAll()
    // Literal, not bound: the index is partial.
    .where(sql<boolean>`outcome = 'added'`)
    .orderBy('place')
    .limit(limit)
    .execute()
}

export async function saveOutcome(
  db: AnyDb,
  { userId, importId }: ImportKey,
  places: readonly number[],
  outcome: Outcome,
): Promise<void> {
  if (places.length === 0) return
  await tables(db)
    .updateTable('import_row')
    .set({ outcome })
    .where('user_id', '=', userId)
    .where('import_id', '=', importId)
    .where('place', 'in', places)
    .execute()
}

/** Removes an import that was made and applied before, except running ones; false if there is none. Its rows go with it. */
export async function deleteOldImport(db: AnyDb, before: Date): Promise<boolean> {
  const old = await tables(db)
    .selectFrom('movie_import')
    .select(['user_id as userId', 'id as importId'])
    .where('created_at', '<', before.toISOString())
    .where((is) => is.or([is('applied_at', 'is', null), is('applied_at', '<', before.toISOString())]))
    .where('due_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (old) await deleteImport(db, old)
  return old !== undefined
}
