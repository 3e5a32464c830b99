import { type RawBuilder, sql } from 'kysely'

import type { CardStatus } from '@marquee/contract/entities/card'
import { EARLIEST_TIME } from '@marquee/contract/limits'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import { UNKNOWN_RUNTIME } from '../card/library-keys.ts'
import { type CardTables, IS_IN_FEED, type KeyRange } from '../card/store.ts'

/** From one time until just before another. */
export type Span = { readonly start: string; readonly end: string }

/** A part of a period with its name, for example a month. */
export type NamedSpan = Span & { readonly name: string }

const tables = withTables<CardTables>

// Literal, not bound: the indexes have only these cards and changes.
const IS_WATCHED = sql<boolean>`status = 'WATCHED'`
const IS_NOT_FIRST = sql<boolean>`seq > 0`

export type WatchedMovie = { id: string; at: string }

/** The first or the last movies that were watched in a span. Nothing follows this status, so each has one such change. */
export async function listWatched(
  db: AnyDb,
  watchlistId: string,
  span: Span,
  { which, limit }: { which: 'first' | 'last'; limit: number },
): Promise<WatchedMovie[]> {
  const direction = which === 'first' ? 'asc' : 'desc'
  return await changesIn(db, watchlistId, span)
    .select(['card_id as id', 'changed_at as at'])
    .where('status', '=', 'WATCHED')
    .orderBy('changed_at', direction)
    .orderBy('card_id', direction)
    .limit(limit)
    .execute()
}

/** The status changes of a span, without the first one of each card, which put it into the box. */
function changesIn(db: AnyDb, watchlistId: string, { start, end }: Span) {
  return tables(db)
    .selectFrom('status_change')
    .where('watchlist_id', '=', watchlistId)
    .where(IS_NOT_FIRST)
    .where('changed_at', '>=', start)
    .where('changed_at', '<', end)
}

export type Suggester = { username: string; lastWatchedAt: string }

/** Who suggested watched movies, and when the last one was watched. It jumps from one name in the index to the next. */
export async function listSuggesters(db: AnyDb, watchlistId: string): Promise<Suggester[]> {
  const watched = sql`from card where watchlist_id = ${watchlistId} and ${IS_WATCHED} and creator_username`
  const { rows } = await sql<Suggester>`
    with recursive suggester (username) as (
      select min(creator_username) ${watched} is not null
      union all
      select (select min(creator_username) ${watched} > suggester.username) from suggester where username is not null
    )
    select username, (select max(status_changed_at) ${watched} = username) as "lastWatchedAt"
    from suggester where username is not null`.execute(db)
  return rows
}

export type WatchedCount = {
  username: string
  /** The name of the span. */
  name: string
  movies: number
  minutes: number
  moviesWithoutRuntime: number
}

/** How many movies of these users were watched in each of the spans. */
export async function countWatched(
  db: AnyDb,
  watchlistId: string,
  { usernames, spans }: { usernames: readonly string[]; spans: readonly NamedSpan[] },
): Promise<WatchedCount[]> {
  const isSqlite = dialectOf(db) === 'sqlite'
  const isKnown = sql`runtime_minutes < ${sql.lit(UNKNOWN_RUNTIME)}`
  const counts = sql`count(*), coalesce(sum(case when ${isKnown} then runtime_minutes end), 0),
    count(case when ${isKnown} then null else 1 end)`
  // To group by the pairs, the database would sort.
  const { rows } = await sql<{ username: string; name: string; counts: string }>`
    select username, name, (
      select cast(${isSqlite ? sql`json_array(${counts})` : sql`json_build_array(${counts})`} as text)
      from card where watchlist_id = ${watchlistId} and ${IS_WATCHED} and creator_username = username
        and status_changed_at >= start_at and status_changed_at < end_at
    ) as counts
    from ${userTable(db, usernames)} cross join ${spanTable(db, spans)}`.execute(db)
  return rows.map(({ username, name, counts: json }) => {
    const [movies = 0, minutes = 0, moviesWithoutRuntime = 0] = JSON.parse(json) as number[]
    return { username, name, movies, minutes, moviesWithoutRuntime }
  })
}

function userTable(db: AnyDb, usernames: readonly string[]): RawBuilder<unknown> {
  return dialectOf(db) === 'sqlite'
    ? sql`(select value as username from json_each(${JSON.stringify(usernames)})) as suggester`
    : sql`unnest(${usernames}::text[]) as suggester (username)`
}

function spanTable(db: AnyDb, spans: readonly NamedSpan[]): RawBuilder<unknown> {
  if (dialectOf(db) === 'sqlite') {
    return sql`(select value ->> 'name' as name, value ->> 'start' as start_at, value ->> 'end' as end_at
      from json_each(${JSON.stringify(spans)})) as span`
  }
  const column = (name: keyof NamedSpan) => spans.map((span) => span[name])
  return sql`unnest(${column('name')}::text[], ${column('start')}::text[], ${column('end')}::text[])
    as span (name, start_at, end_at)`
}

/** How often a card was put back, and how often declined. */
export async function countDecisions(
  db: AnyDb,
  watchlistId: string,
  span: Span,
): Promise<{ putBack: number; declined: number }> {
  const rows = await changesIn(db, watchlistId, span)
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .where('status', 'in', ['SUGGESTED', 'REJECTED'])
    .groupBy('status')
    .execute()
  const countOf = (status: CardStatus) => rows.find((row) => row.status === status)?.count ?? 0
  return { putBack: countOf('SUGGESTED'), declined: countOf('REJECTED') }
}

/**
 * The cards of a range that were revealed in a span for the first time after a wait of at least `atLeast` seconds, and that are
 * not in the box now, longest wait first. It goes through the first two status changes of each card once. With a cross join
 * SQLite does not begin with all cards of the watchlist. A wait begins in 1970 or later: PostgreSQL does not know the year 0.
 */
export async function findLongestWaits(
  db: AnyDb,
  watchlistId: string,
  { start, end }: Span,
  { range: { after, until }, atLeast, limit }: { range: KeyRange; atLeast: number; limit: number },
): Promise<Wait[]> {
  const earliest = sql.lit(EARLIEST_TIME)
  const [revealed, added] = ['revealed_at', 'added_at'].map((name) => {
    const time = sql.ref(name)
    return sql`(case when ${time} < ${earliest} then ${earliest} else ${time} end)`
  })
  const seconds =
    dialectOf(db) === 'sqlite'
      ? sql`unixepoch(${revealed}) - unixepoch(${added})`
      : sql`cast(extract(epoch from ${revealed}::timestamptz - ${added}::timestamptz) as bigint)`
  const { rows } = await sql<Wait>`
    select found.card_id as id, ${seconds} as seconds
    from (
      select card_id, min(case when seq = 0 then changed_at end) as added_at,
        min(case when seq = 1 and status = 'REVEALED' then changed_at end) as revealed_at
      from status_change
      where watchlist_id = ${watchlistId} and card_id > ${after} and card_id <= ${until} and seq <= 1
      group by card_id
    ) as found
    cross join card
    where card.watchlist_id = ${watchlistId} and card.id = found.card_id and card.status <> 'SUGGESTED'
      and revealed_at >= ${start} and revealed_at < ${end} and ${seconds} >= ${atLeast}
    order by seconds desc, found.card_id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export type Wait = { readonly id: string; readonly seconds: number }

const COLUMNS = [
  'id',
  'title',
  'image_url',
  'image_hash',
  'copy_hash',
  'copy_failed',
  'creator_username',
  'status_changed_at',
] as const

export type MovieRow = Pick<CardTables['card'], (typeof COLUMNS)[number]>

/** What a statistic shows of these cards; those of the box are left out. */
export async function listMovies(db: AnyDb, watchlistId: string, ids: readonly string[]): Promise<MovieRow[]> {
  return await tables(db)
    .selectFrom('card')
    .select(COLUMNS)
    .where('watchlist_id', '=', watchlistId)
    .where(IS_IN_FEED)
    .where(isOneOf(db, sql.ref('id'), ids))
    .execute()
}

/**
 * The cards of a range that were watched in a span, with their creators. Status and time are compared here: in the statement,
 * SQLite would walk an index with all watched cards.
 */
export async function listWatchedIn(
  db: AnyDb,
  watchlistId: string,
  { after, until }: KeyRange,
  { start, end }: Span,
): Promise<{ id: string; username: string }[]> {
  const rows = await tables(db)
    .selectFrom('card')
    .select(['id', 'creator_username as username', 'status', 'status_changed_at as at'])
    .where('watchlist_id', '=', watchlistId)
    .where('id', '>', after)
    .where('id', '<=', until)
    .execute()
  return rows.filter(({ status, at }) => status === 'WATCHED' && at >= start && at < end)
}
