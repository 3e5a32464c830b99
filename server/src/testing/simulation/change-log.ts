import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

import { type RawBuilder, sql } from 'kysely'

import { type AnyDb, dialectOf } from '@marquee/platform/database/database'
import { kyselyOverSqlite, sqliteRunner } from '@marquee/platform/database/kysely-over-sqlite'

const BUSY_MS = 5_000

/** The tables with the rows of a watchlist, and the column with its id; that of a user for messages to their devices. */
const TABLES = {
  watchlist: 'id',
  member: 'watchlist_id',
  person_watchlist: 'watchlist_id',
  card: 'watchlist_id',
  status_change: 'watchlist_id',
  comment: 'watchlist_id',
  invitation: 'watchlist_id',
  person_invitation: 'watchlist_id',
  draw: 'watchlist_id',
  draw_pick: 'watchlist_id',
  night: 'watchlist_id',
  night_presence: 'watchlist_id',
  night_pass: 'watchlist_id',
  night_vote: 'watchlist_id',
  night_ballot: 'watchlist_id',
  night_veto: 'watchlist_id',
  night_absentee: 'watchlist_id',
  night_setting: 'watchlist_id',
  card_viewings: 'watchlist_id',
  movie_import: 'watchlist_id',
  movie_request: 'watchlist_id',
  media_server: 'watchlist_id',
  media_link: 'watchlist_id',
  media_mark: 'watchlist_id',
  activity: 'watchlist_id',
  notification: 'watchlist_id',
  webhook_delivery: 'watchlist_id',
  push_message: 'user_id',
} as const
export type Table = keyof typeof TABLES

/** The tables that explain replies. They are changed only behind the lock of the watchlist. */
const HELD = [
  'watchlist',
  'member',
  'person_watchlist',
  'card',
  'status_change',
  'comment',
  'invitation',
  'person_invitation',
] as const satisfies Table[]
export type HeldTable = (typeof HELD)[number]

export type Row = Readonly<Record<string, string | number | null>>

/** A row that was added (`was` is missing), changed, or removed (`is` is missing), in order. */
export type Change = { seq: number; table: Table; watchlistId: string; was: Row | undefined; is: Row | undefined }

/**
 * Triggers that log every change of a row in its transaction, so that the state at each moment is known and not only
 * that at the end.
 */
export async function installChangeLog(db: AnyDb): Promise<void> {
  const isSqlite = dialectOf(db) === 'sqlite'
  const seq = isSqlite ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key'
  await run(db, `create table change_log (seq ${seq}, what text, watchlist_id text, was text, now text)`)
  await run(db, 'create index change_log_of on change_log (watchlist_id, seq)')
  for (const table of Object.keys(TABLES) as Table[]) {
    await (isSqlite ? logOnSqlite(db, table) : logOnPostgres(db, table))
  }
}

async function logOnSqlite(db: AnyDb, table: Table): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
  const json = (row: 'old' | 'new') => `json_object(${rows.map(({ name }) => `'${name}', ${row}.${name}`).join(', ')})`
  const values = {
    insert: `new.${TABLES[table]}, null, ${json('new')}`,
    update: `new.${TABLES[table]}, ${json('old')}, ${json('new')}`,
    delete: `old.${TABLES[table]}, ${json('old')}, null`,
  }
  for (const [event, row] of Object.entries(values)) {
    await run(
      db,
      `create trigger log_${table}_${event} after ${event} on ${table} begin
        insert into change_log (what, watchlist_id, was, now) values ('${table}', ${row}); end`,
    )
  }
}

async function logOnPostgres(db: AnyDb, table: Table): Promise<void> {
  const insert = `insert into change_log (what, watchlist_id, was, now) values ('${table}'`
  const key = TABLES[table]
  await run(
    db,
    `create function log_${table}() returns trigger language plpgsql as $$ begin
      ${insert}, coalesce(new.${key}, old.${key}), row_to_json(old)::text, row_to_json(new)::text); return null; end $$`,
  )
  await run(
    db,
    `create trigger log_${table} after insert or update or delete on ${table} for each row execute function log_${table}()`,
  )
}

async function run(db: AnyDb, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

/** The number of the last committed change, of one watchlist or of all; 0 before the first. */
export async function lastChange(db: AnyDb, watchlistId?: string): Promise<number> {
  return await last(db, watchlistId === undefined ? sql`true` : sql`watchlist_id = ${watchlistId}`)
}

/**
 * The number of the last committed change of a watchlist in tables that are only changed by who holds the watchlist: there
 * all changes with lower numbers are committed too. A queue may commit before a transaction whose changes have lower numbers.
 */
export async function lastHeldChange(db: AnyDb, watchlistId: string): Promise<number> {
  return await last(db, sql`watchlist_id = ${watchlistId} and what in (${sql.join(HELD)})`)
}

async function last(db: AnyDb, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from change_log where ${where}`.execute(db)
  return rows[0]?.seq ?? 0
}

/** All changes after this one, including those of other watchlists. */
export async function changesAfter(db: AnyDb, seq: number): Promise<Change[]> {
  type Logged = { seq: number; what: Table; watchlist_id: string; was: string | null; now: string | null }
  const { rows } = await sql<Logged>`select * from change_log where seq > ${seq} order by seq`.execute(db)
  const parse = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as Row))
  return rows.map((row) => ({
    seq: row.seq,
    table: row.what,
    watchlistId: row.watchlist_id,
    was: parse(row.was),
    is: parse(row.now),
  }))
}

/** The current rows of a watchlist. */
export async function readTables(db: AnyDb, watchlistId: string): Promise<Record<Table, Row[]>> {
  const tables: Partial<Record<Table, Row[]>> = {}
  for (const table of Object.keys(TABLES) as Table[]) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${sql.ref(TABLES[table])} = ${watchlistId}`.execute(db)
    tables[table] = rows
  }
  return tables as Record<Table, Row[]>
}

/**
 * The queues in which rows are due until a time. Claimed rows are due when their claim ends. Activities are not claimed, and
 * some rest until what they report cannot be undone: these have a time of their own.
 */
export async function waitingRows(db: AnyDb, until: number, activitiesUntil = until): Promise<string[]> {
  const queues = [
    'activity',
    'webhook_delivery',
    'push_message',
    'movie_import',
    'movie_request',
    'media_mark',
    'mail_outbox',
  ]
  const each = queues.map(
    (queue) =>
      sql`select ${queue} as queue from ${sql.table(queue)} where due_at <= ${queue === 'activity' ? activitiesUntil : until}`,
  )
  const { rows } = await sql<{ queue: string }>`${sql.join(each, sql` union `)}`.execute(db)
  return rows.map(({ queue }) => queue)
}

/** The number of claimed keys without a reply: such a request was half done. */
export async function countClaimsWithoutReply(db: AnyDb): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from idempotent_reply where reply_box is null`.execute(db)
  return rows[0]?.n ?? 0
}

/** A separate connection to an embedded database. */
export function openObserver(path: string, options: DatabaseSyncOptions = {}): { db: AnyDb; close: () => void } {
  const connection = new DatabaseSync(path, { timeout: BUSY_MS, ...options })
  const run = sqliteRunner(connection, () => undefined)
  return {
    db: kyselyOverSqlite(connection, run),
    close: () => {
      connection.close()
    },
  }
}
