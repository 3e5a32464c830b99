import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import type { WatchlistTables } from './store.ts'

const tables = withTables<WatchlistTables>

type Part = {
  readonly table: string
  readonly key: readonly [string] | readonly [string, string]
  readonly limit: number
}

/**
 * Tables through which callers who are not members could still read something, and tables with secrets of others. They have
 * few rows.
 */
const WAYS_IN = ['night', 'join_link', 'webhook', 'media_server', 'request_server', 'invitation', 'member'] as const

/**
 * The tables of which a large watchlist has many rows, in the order of their removal. `key` follows the watchlist in the
 * primary key. All other rows are removed with these, by their foreign keys.
 */
const PARTS: readonly Part[] = [
  { table: 'comment', key: ['card_id', 'id'], limit: 250 },
  { table: 'status_change', key: ['card_id', 'seq'], limit: 250 },
  { table: 'card_viewings', key: ['card_id', 'user_id'], limit: 250 },
  { table: 'card_wants', key: ['card_id', 'user_id'], limit: 250 },
  { table: 'card', key: ['id'], limit: 25 },
  { table: 'draw_pick', key: ['draw_number', 'place'], limit: 250 },
  { table: 'draw_seed', key: ['draw_number', 'seed'], limit: 250 },
  { table: 'draw_seed_hash', key: ['draw_number', 'hash'], limit: 250 },
  { table: 'draw', key: ['draw_number'], limit: 25 },
  { table: 'draw_share', key: ['revealed_at', 'draw_number'], limit: 250 },
  { table: 'activity', key: ['id'], limit: 250 },
  { table: 'media_movie', key: ['list_id', 'movie_key'], limit: 250 },
]

/** Hides a watchlist from all callers, also from processes of the previous version. */
export async function hideWatchlist(
  db: AnyDb,
  watchlistId: string,
  { memberIds, dueAt }: { memberIds: readonly string[]; dueAt: number },
): Promise<void> {
  await tables(db)
    .deleteFrom('person_watchlist')
    .where(isOneOf(db, sql.ref('user_id'), memberIds))
    .where('watchlist_id', '=', watchlistId)
    .execute()
  for (const table of WAYS_IN) {
    await sql`delete from ${sql.table(table)} where watchlist_id = ${watchlistId}`.execute(db)
  }
  await tables(db)
    .updateTable('watchlist')
    .set({ removal_due_at: dueAt, is_private: 1, owner_id: '', member_count: 0 })
    .where('id', '=', watchlistId)
    .execute()
}

export type Removal = { readonly watchlistId: string; readonly dueAt: number }

/** The removal that is due first. */
export async function nextRemoval(db: AnyDb): Promise<Removal | undefined> {
  return removalOf(await selectHidden(db).orderBy('removal_due_at').limit(1).executeTakeFirst())
}

export async function findRemoval(db: AnyDb, watchlistId: string): Promise<Removal | undefined> {
  return removalOf(await selectHidden(db).where('id', '=', watchlistId).executeTakeFirst())
}

function selectHidden(db: AnyDb) {
  return (
    tables(db)
      .selectFrom('watchlist')
      .select(['id', 'removal_due_at'])
      // Literal, not bound: the index is partial.
      .where(sql<boolean>`removal_due_at is not null`)
  )
}

function removalOf(row: Pick<WatchlistTables['watchlist'], 'id' | 'removal_due_at'> | undefined): Removal | undefined {
  return row && { watchlistId: row.id, dueAt: Number(row.removal_due_at) }
}

/** Postpones a removal, or with `until` null cancels it; false if it has changed meanwhile. */
export async function setRemoval(db: AnyDb, { watchlistId, dueAt }: Removal, until: number | null): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('watchlist')
    .set({ removal_due_at: until })
    .where('id', '=', watchlistId)
    .where('removal_due_at', '=', dueAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes some rows of a hidden watchlist, and at last its own. Returns whether it is gone. */
export async function removeSome(db: AnyDb, watchlistId: string): Promise<boolean> {
  for (const part of PARTS) if (await removeFrom(db, watchlistId, part)) return false
  await tables(db).deleteFrom('watchlist').where('id', '=', watchlistId).execute()
  return true
}

/** Removes rows up to a key, so that a statement never looks at more of them. False if there are none. */
async function removeFrom(
  db: AnyDb,
  watchlistId: string,
  { table, key: [first, second], limit }: Part,
): Promise<boolean> {
  const from = sql`from ${sql.table(table)} where watchlist_id = ${watchlistId}`
  const columns = sql.join([first, ...(second === undefined ? [] : [second])].map((name) => sql.ref(name)))
  const { rows } = await sql<Record<string, string | number>>`
    select ${columns} ${from} order by ${columns} limit ${sql.lit(limit)}`.execute(db)
  const last = rows.at(-1)
  if (last === undefined) return false
  if (second === undefined) {
    await sql`delete ${from} and ${sql.ref(first)} <= ${last[first]}`.execute(db)
  } else {
    await sql`delete ${from} and ${sql.ref(first)} < ${last[first]}`.execute(db)
    await sql`delete ${from} and ${sql.ref(first)} = ${last[first]} and ${sql.ref(second)} <= ${last[second]}`.execute(
      db,
    )
  }
  return true
}
