import { CompiledQuery, sql } from 'kysely'

import type { AnyDb, Database } from '../database/database.ts'
import { hearStatements } from './listen-to-statements.ts'
import { noteStatements } from './statement-ledger.ts'

/** Tables that every machine has completely: a few rows, changed only by operators. */
const COPIED_EVERYWHERE = new Set([
  'installation',
  'identity_pool',
  'identity_signing_key',
  'identity_lasting_key',
  'push_key',
])

/** Columns with the same content under several names: rows with the same value are on the same machine. */
const LIES_WITH: Readonly<Record<string, string>> = { 'watchlist.id': 'watchlist_id', sub: 'user_id' }

/**
 * Background work that queries every machine by index: sweeps, the queues of mails, posters, imports, removals, notifications and push messages, and key
 * rotation. Each reads a bounded batch, and no request waits for it.
 */
const GOES_THROUGH_ALL =
  /^(?:mail_outbox_(?:due|claimed|urgent)|image_hold_expiry|idempotent_reply_age|identity_user_abandoned|identity_\w+_(?:expiry|age|key_id)|(?:card|watchlist)_image_hash|card_(?:copy_hash|uncopied)|person_avatar_hash|(?:poster_request|activity|watchlist_removal|night_reminder|night_mail|webhook_delivery|push_message|notification_mail|media_server|media_list|movie_request|media_mark|box_reading)_due|watchlist_country|night_open|movie_import_(?:due|age)|screen_pairing_expiry|availability_age|join_reservation_expiry)$/u

/** A queue with more due rows than it reads at a time visits lanes in the order of their keys, a few at a time. */
const VISITS_LANES =
  /^SEARCH (?:webhook_delivery|push_message|poster_request|movie_import|activity|notification_mail|night_reminder|night_mail|media_server|media_list|movie_request|media_mark|box_reading) USING (?:COVERING INDEX \w+|PRIMARY KEY) \(\(?[\w,]+\)?>\(?[?,]+\)?\)$/u

/** The sweep of a table that has the rows of one day reads it in the order of its key, a bounded batch at a time. */
const READS_IN_ORDER = /^SEARCH invitation_mail USING PRIMARY KEY \(user_id>\?\)$/u

export type WatchedDatabase = {
  database: Database<unknown>
  /** Messages about the statements so far that cannot be sent to one machine. SQLite only. */
  unkeyed: () => Promise<string[]>
  /** Notes the statements so far as those of the product. SQLite only: connections to PostgreSQL note their own. */
  note: () => Promise<void>
}

/**
 * The same database, which records its statements. If tables are distributed by the first column of their primary key
 * (docs/scaling.md), a statement reaches a single machine only if it names that column's value for all its tables.
 */
export function watchKeys(database: Database<unknown>): WatchedDatabase {
  if (database.dialect !== 'sqlite')
    return { database, unkeyed: async () => await Promise.resolve([]), note: async () => await Promise.resolve() }
  const statements = new Set<string>()
  return {
    database: hearStatements(database, (text) => void statements.add(text)),
    unkeyed: async () => await findUnkeyed(database.schema, [...statements]),
    note: async () => await noteStatements(database.schema, statements),
  }
}

/** What is wrong with a statement, in databases with these tables and indexes. Each app sends mostly the same ones. */
const findings = new Map<string, Map<string, string | undefined>>()

async function findUnkeyed(db: AnyDb, statements: readonly string[]): Promise<string[]> {
  const keys = await keyColumns(db)
  const schema = await schemaOf(db)
  const known = findings.get(schema) ?? new Map<string, string | undefined>()
  findings.set(schema, known)
  for (const statement of statements) {
    if (known.has(statement) || !/^(?:select|insert|update|delete|with)\b/iu.test(statement)) continue
    const tables = [...keys.keys()].filter((table) => new RegExp(`\\b${table}\\b`, 'u').test(statement))
    known.set(statement, (await missesKey(db, statement, keys)) ?? crossesMachines(tables, keys))
  }
  return statements.flatMap((statement) => {
    const reason = known.get(statement)
    return reason === undefined ? [] : `${reason}: ${statement}`
  })
}

/** The statements that make the tables and indexes of a database. */
async function schemaOf(db: AnyDb): Promise<string> {
  const { rows } = await sql<{ made: string }>`select group_concat(sql, ';') as made from sqlite_master`.execute(db)
  return rows[0]?.made ?? ''
}

/** A search in the query plan must begin with the key, and a scan is allowed only for small tables. */
async function missesKey(db: AnyDb, statement: string, keys: ReadonlyMap<string, string>): Promise<string | undefined> {
  const columns = new Set(keys.values())
  const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`))
  const subqueries = new Set(rows.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/u.exec(detail)?.[1] ?? []))
  for (const { detail } of rows) {
    const [, verb, table = ''] = /^(SEARCH|SCAN) (\S+)/u.exec(detail) ?? []
    if (verb === undefined || COPIED_EVERYWHERE.has(table) || subqueries.has(table) || isNoTable(detail)) continue
    const index = /INDEX (\w+)/u.exec(detail)?.[1] ?? ''
    if (GOES_THROUGH_ALL.test(index) || VISITS_LANES.test(detail) || READS_IN_ORDER.test(detail)) continue
    const first = /\((\w+)=\?/u.exec(detail)?.[1]
    if (verb === 'SCAN' || first === undefined || !columns.has(first)) return `${detail} names no key`
  }
  return undefined
}

function isNoTable(detail: string): boolean {
  return /^SCAN (?:\(|CONSTANT ROW|\d+-ROW VALUES)|VIRTUAL TABLE/u.test(detail)
}

function crossesMachines(tables: readonly string[], keys: ReadonlyMap<string, string>): string | undefined {
  const places = new Set<string>()
  for (const table of tables) {
    const key = keys.get(table)
    if (key !== undefined && !COPIED_EVERYWHERE.has(table))
      places.add(LIES_WITH[`${table}.${key}`] ?? LIES_WITH[key] ?? key)
  }
  return places.size > 1 ? `Tables that lie apart (${[...places].join(', ')}) in one statement` : undefined
}

/** The first column of each table's primary key. */
async function keyColumns(db: AnyDb): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; key: string }>`
    select t.name as name, c.name as key from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and c.pk = 1`.execute(db)
  return new Map(rows.map((row) => [row.name, row.key]))
}
