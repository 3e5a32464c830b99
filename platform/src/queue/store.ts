import { type RawBuilder, sql } from 'kysely'

import { type AnyDb, withTables } from '../database/database.ts'
import { isOneOf } from '../database/json.ts'
import { prepared } from '../database/prepared.ts'

/** Rows of any table, of which only the columns that a queue names are known. */
type Columns = Record<string, unknown>

/** A table whose rows wait for their time in `due_at`: a number of milliseconds since 1970, or null if a row does not wait. */
export type DueTable<Row> = {
  readonly name: string
  /** The primary key. Rows with the same first column have the same owner. */
  readonly key: readonly (keyof Row & string)[]
  /** How many columns of the key name the lane of a row. Rows of one lane are performed one after the other. */
  readonly lane: number
  /** Names the lane of a row, if its key does not. Missing, rows with the same first columns of the key share a lane. */
  readonly laneOf?: (row: Row) => string
  /** The same as part of a statement. */
  readonly laneName?: RawBuilder<string>
  /** Orders rows that are due at the same time, as the index does. */
  readonly thenBy?: keyof Row & string
  /** Counts the claims of a row. */
  readonly attempts?: keyof Row & string
  /**
   * In a lane that fails, rows with fewer attempts go first, so that none holds up the others for ever. They are then not
   * in order.
   */
  readonly fewestFirst?: true
  /** The process that has claimed a row. Without it, a claim is only a later `due_at`. */
  readonly claimedBy?: keyof Row & string
  /** 1 for rows that go before all others. */
  readonly urgent?: keyof Row & string
  /** `due_at` is a text, as in `toISOString`. */
  readonly hasTextTimes?: true
  /** Kinds of rows that may be due at any later time, because a user chose it. */
  readonly timedByUsers?: { readonly column: keyof Row & string; readonly values: readonly string[] }
}

/** A process with lapsed claims, and when the last of them lapsed, in milliseconds since 1970. */
export type Claimant = { readonly id: string; readonly lapsedAt: number }

/** Rows that cannot be begun: those of lanes at work, and of owners with as many lanes at work as they may have. */
export type Blocked = { readonly lanes: readonly string[]; readonly owners: readonly string[] }

/** A later `due_at`, until which no other process performs the row. `by` is the name of this process. */
export type Claim = { readonly until: number; readonly by: string }

type Shape = DueTable<Columns>

const tables = withTables<Record<string, Columns>>

/** A row that was attempted comes at most this many milliseconds behind the others of its lane. */
const MAX_BEHIND_MS = 1_000

/** Literal, not bound: an index may be partial. */
const WAITS = sql<boolean>`due_at is not null`

type Wanted = {
  readonly now: number
  readonly limit: number
  /** Of the claimed rows, only those of these processes. */
  readonly from?: readonly string[]
  readonly isUrgent?: boolean
  readonly except?: Blocked | undefined
}

/** The rows that have been due longest. */
export async function findDue<Row>(
  db: AnyDb,
  given: DueTable<Row>,
  { now, limit, from = [], isUrgent = false, except }: Wanted,
): Promise<Row[]> {
  const table = given as unknown as Shape
  const { claimedBy, urgent, thenBy } = table
  const rows = await tables(db)
    .selectFrom(table.name)
    .selectAll()
    .where(WAITS)
    .where('due_at', '<=', timeOf(table, now))
    .$if(claimedBy !== undefined, (query) =>
      query.where((is) => is.or([is(claimedBy ?? '', 'is', null), isOneOf(db, sql.ref(claimedBy ?? ''), from)])),
    )
    .$if(isUrgent, (query) => query.where(sql<boolean>`${sql.ref(urgent ?? '')} = 1`))
    .$if(except !== undefined, (query) => query.where(isNotBlocked(db, table, except)))
    .orderBy('due_at')
    .$if(thenBy !== undefined, (query) => query.orderBy(thenBy ?? ''))
    .limit(limit)
    .execute()
  return rows as Row[]
}

function isNotBlocked(db: AnyDb, table: Shape, { lanes, owners }: Blocked = { lanes: [], owners: [] }) {
  const { key, laneName = namedBy(laneColumns(table)) } = table
  return sql<boolean>`not ${isOneOf(db, laneName, lanes)} and not ${isOneOf(db, namedBy(key.slice(0, 1)), owners)}`
}

/** `nameIn` as part of a statement. */
function namedBy(columns: readonly string[]): RawBuilder<string> {
  return sql<string>`${sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )}`
}

/** The first due rows of the owner or lane whose key columns are given, in the order of the key. */
export async function findDueOf<Row>(
  db: AnyDb,
  given: DueTable<Row>,
  place: Partial<Row>,
  { now, limit }: { now: number; limit: number },
): Promise<Row[]> {
  const table = given as unknown as Shape
  const of = Object.entries(place as Columns)
  // Not prepared: the columns are those of any table.
  const rows = await tables(db)
    .selectFrom(table.name)
    .selectAll()
    .where((is) => is.and(of.map(([column, known]) => is(column, '=', known))))
    .where(WAITS)
    .where('due_at', '<=', timeOf(table, now))
    // By the key, so that the database does not go through the due rows of all others.
    .orderBy(sql.join(table.key.map((column) => sql.ref(column))))
    .limit(sql.lit(limit))
    .execute()
  return rows as Row[]
}

const nextPlace = prepared<Columns, Columns, { name: string; columns: string[] }>((db, value, { name, columns }) => {
  const [own, known] = [columns.map((column) => sql.ref(column)), columns.map((column) => sql`${value(column)}`)]
  return tables(db)
    .selectFrom(name)
    .select(columns)
    .where(sql<boolean>`(${sql.join(own)}) > (${sql.join(known)})`)
    .orderBy(sql.join(own))
    .limit(sql.lit(1))
})

/** The key columns of the next owner or lane in the order of the key; of the first one if `after` is empty. */
export async function findNext<Row>(
  db: AnyDb,
  given: DueTable<Row>,
  what: 'owner' | 'lane',
  after: Partial<Row>,
): Promise<Partial<Row> | undefined> {
  const table = given as unknown as Shape
  const columns = what === 'owner' ? table.key.slice(0, 1) : laneColumns(table)
  const known = Object.fromEntries(columns.map((column) => [column, (after as Columns)[column] ?? '']))
  const [row] = await nextPlace(db, known, { name: table.name, columns })
  return row as Partial<Row> | undefined
}

/** Claims a row as it was read, and returns it as it is now; undefined if another process claimed, changed or removed it. */
export async function claimRow<Row>(
  trx: AnyDb,
  given: DueTable<Row>,
  row: Row,
  claim: Claim,
): Promise<Row | undefined> {
  const table = given as unknown as Shape
  const { attempts, claimedBy } = table
  const claimed = await tables(trx)
    .updateTable(table.name)
    .set({
      due_at: timeOf(table, claim.until),
      ...(attempts !== undefined && { [attempts]: sql`${sql.ref(attempts)} + 1` }),
      ...(claimedBy !== undefined && { [claimedBy]: claim.by }),
    })
    .where(isRow(table, row as Columns))
    // Skips a row that a process claimed, or whose claim was renewed, since it was read.
    .where('due_at', '=', (row as Columns)['due_at'])
    .returningAll()
    .executeTakeFirst()
  return claimed as Row | undefined
}

/** Changes a row under its claim. False if it is gone, or another process has claimed it. */
export async function saveClaimed<Row>(
  trx: AnyDb,
  given: DueTable<Row>,
  claimed: Row,
  change: Partial<Row>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(trx)
    .updateTable(given.name)
    .set(change as Columns)
    .where(isClaimed(given as unknown as Shape, claimed as Columns))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes a row under its claim. False if it is gone, or another process has claimed it. */
export async function deleteClaimed<Row>(trx: AnyDb, given: DueTable<Row>, claimed: Row): Promise<boolean> {
  const { numDeletedRows } = await tables(trx)
    .deleteFrom(given.name)
    .where(isClaimed(given as unknown as Shape, claimed as Columns))
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Changes when a row under its claim is due. `isFree` ends the claim, and `isUncounted` also does not count it. */
export async function moveClaimed<Row>(
  trx: AnyDb,
  given: DueTable<Row>,
  claimed: Row,
  { to, isFree = false, isUncounted = false }: { to: number; isFree?: boolean; isUncounted?: boolean },
): Promise<void> {
  const table = given as unknown as Shape
  const { attempts, claimedBy } = table
  await saveClaimed(trx, table, claimed as Columns, {
    due_at: timeOf(table, to),
    ...(isUncounted && attempts !== undefined && { [attempts]: sql`${sql.ref(attempts)} - 1` }),
    ...(isFree && claimedBy !== undefined && { [claimedBy]: null }),
  })
}

/**
 * Changes the due time of those rows of a lane that are due until a time. Later ones wait for a reason of their own.
 * `inTurn` makes rows of a table with `fewestFirst` due in that order, which takes them up to a second.
 */
export async function moveLane<Row>(
  trx: AnyDb,
  given: DueTable<Row>,
  row: Row,
  { until, to, inTurn = false }: { until: number; to: number; inTurn?: boolean },
): Promise<void> {
  const table = given as unknown as Shape
  const { attempts, fewestFirst } = table
  const counted = inTurn && fewestFirst && attempts !== undefined ? sql.ref(attempts) : undefined
  await tables(trx)
    .updateTable(table.name)
    .set({
      due_at: counted
        ? sql`cast(${to} as bigint) + case when ${counted} < ${MAX_BEHIND_MS} then ${counted} else ${MAX_BEHIND_MS} end`
        : timeOf(table, to),
    })
    .where(isInLane(table, row as Columns))
    .where(WAITS)
    .where('due_at', '<=', timeOf(table, until))
    .execute()
}

/**
 * Removes rows of one owner, as part of the transaction that performs them. Returns those that were still there, so that each
 * is performed once, also if several processes work.
 */
export async function takeRows<Row>(trx: AnyDb, given: DueTable<Row>, rows: readonly Row[]): Promise<Row[]> {
  const table = given as unknown as Shape
  const [owner = '', ...rest] = table.key
  const [first] = rows
  if (!first) return []
  const last = rest.at(-1) ?? owner
  const taken = await tables(trx)
    .deleteFrom(table.name)
    .where(owner, '=', (first as Columns)[owner])
    .where(
      isOneOf(
        trx,
        sql.ref(last),
        rows.map((row) => String((row as Columns)[last])),
      ),
    )
    .returning(table.key)
    .execute()
  const ids = new Set(taken.map((row) => nameIn(row, table.key)))
  return rows.filter((row) => ids.has(nameIn(row as Columns, table.key)))
}

const nextTime = prepared<{ now: number | string }, { due_at: string | number }, { name: string }>(
  (db, value, { name }) =>
    tables(db)
      .selectFrom(name)
      .select(sql<string | number>`due_at`.as('due_at'))
      .where(WAITS)
      .where('due_at', '>', value('now'))
      .orderBy('due_at')
      .limit(sql.lit(1)),
)

/** When the next row after `now` is due. */
export async function nextDueAt<Row>(db: AnyDb, given: DueTable<Row>, now: number): Promise<number | undefined> {
  const table = given as unknown as Shape
  const [row] = await nextTime(db, { now: timeOf(table, now) }, { name: table.name })
  if (row === undefined) return undefined
  const dueAt = row.due_at
  return typeof dueAt === 'string' && table.hasTextTimes ? Date.parse(dueAt) : Number(dueAt)
}

/** How many rows wait, those that are being performed included. */
export async function countWaiting(db: AnyDb, given: Pick<DueTable<unknown>, 'name'>): Promise<number> {
  const row = await tables(db)
    .selectFrom(given.name)
    .select(({ fn }) => fn.countAll().as('waiting'))
    .where(WAITS)
    .executeTakeFirstOrThrow()
  return Number(row.waiting)
}

/**
 * Makes rows due whose time lies further ahead than any row waits: a process whose clock was ahead has written it. `claims` is
 * the same for claimed rows.
 */
export async function bringForward<Row>(
  trx: AnyDb,
  given: DueTable<Row>,
  { now, latest, claims }: { now: number; latest: number; claims: number },
): Promise<number> {
  const table = given as unknown as Shape
  const { claimedBy, timedByUsers } = table
  const { numUpdatedRows } = await tables(trx)
    .updateTable(table.name)
    .set({ due_at: timeOf(table, now) })
    .where(WAITS)
    .where('due_at', '>', timeOf(table, claimedBy === undefined ? latest : Math.min(latest, claims)))
    .$if(claimedBy !== undefined, (query) =>
      query.where((is) => is.or([is('due_at', '>', timeOf(table, latest)), is(claimedBy ?? '', 'is not', null)])),
    )
    .$if(timedByUsers !== undefined, (query) =>
      query.where((is) => is.not(isOneOf(trx, sql.ref(timedByUsers?.column ?? ''), timedByUsers?.values ?? []))),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The processes that did not renew a claim in time: they died or lost the database. */
export async function listLateClaimants<Row>(db: AnyDb, given: DueTable<Row>, now: number): Promise<Claimant[]> {
  const { name, claimedBy = '' } = given as unknown as Shape
  const rows = await tables(db)
    .selectFrom(name)
    .select(({ fn }) => [claimedBy, fn.max('due_at').as('lapsed_at')])
    .where('due_at', '<=', now)
    .where(claimedBy, 'is not', null)
    .groupBy(claimedBy)
    .execute()
  return rows.map((row) => ({ id: String((row as Columns)[claimedBy]), lapsedAt: Number(row.lapsed_at) }))
}

/** Ends all claims, for a process that is the only one. */
export async function releaseClaims<Row>(trx: AnyDb, given: DueTable<Row>, now: number): Promise<void> {
  const { name, claimedBy = '' } = given as unknown as Shape
  await tables(trx)
    .updateTable(name)
    .set({ due_at: now, [claimedBy]: null })
    .where(claimedBy, 'is not', null)
    .execute()
}

/** The name of a lane, or of a row if all columns of the key are given. */
export function nameIn(row: Columns, columns: readonly string[]): string {
  return columns.map((column) => String(row[column])).join(' ')
}

export function laneColumns(table: { key: readonly string[]; lane: number }): string[] {
  return table.key.slice(0, table.lane)
}

function timeOf({ hasTextTimes }: Shape, time: number): number | string {
  return hasTextTimes ? new Date(time).toISOString() : time
}

function isRow({ key }: Shape, row: Columns): RawBuilder<boolean> {
  return allEqual(key, row)
}

function isClaimed({ key, claimedBy = 'due_at' }: Shape, claimed: Columns): RawBuilder<boolean> {
  return allEqual([...key, claimedBy], claimed)
}

function isInLane(table: Shape, row: Columns): RawBuilder<boolean> {
  return allEqual(laneColumns(table), row)
}

function allEqual(columns: readonly string[], row: Columns): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  )}`
}
