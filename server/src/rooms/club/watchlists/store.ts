import { sql } from 'kysely'

import { MAX_MEMBERS_PER_WATCHLIST } from '@marquee/contract/limits'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf, jsonArray } from '@marquee/platform/database/json'
import { prepared, preparedFirst } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'

export type WatchlistTables = {
  watchlist: {
    id: string
    name: string
    description: string | null
    owner_id: string
    owner_username: string
    created_at: string
    updated_at: string
    image_hash: string | null
    is_private: number
    version: number
    box_count: number
    member_count: number
    /** In milliseconds since 1970. Set while the watchlist is hidden: it was deleted, or is not restored yet. */
    removal_due_at: number | null
    /** In which the members watch. */
    country: string | null
  }
  member: { watchlist_id: string; user_id: string; username: string; joined_at: string }
  person_watchlist: { user_id: string; watchlist_id: string; joined_at: string }
}

/** `members` is a JSON array of `{username, joinedAt}` in the order they joined. */
export type WatchlistRow = Pick<
  WatchlistTables['watchlist'],
  | 'id'
  | 'name'
  | 'description'
  | 'owner_username'
  | 'created_at'
  | 'updated_at'
  | 'image_hash'
  | 'is_private'
  | 'country'
> & { members: string }

type AccessColumns = Pick<WatchlistTables['watchlist'], 'version' | 'is_private' | 'box_count' | 'owner_id'> & {
  user_id: string | null
}

export type AccessRow = {
  feedVersion: number
  isPrivate: boolean
  boxCount: number
  isMember: boolean
  isOwner: boolean
}

const tables = withTables<WatchlistTables>

/** Not deleted. Literal, not bound: it is part of prepared statements. */
const IS_THERE = sql<boolean>`watchlist.removal_due_at is null`

type MemberKey = { watchlistId: string; userId: string }

const access = preparedFirst<MemberKey, AccessColumns>((db, value) =>
  tables(db)
    .selectFrom('watchlist')
    .leftJoin('member', (join) =>
      join.onRef('member.watchlist_id', '=', 'watchlist.id').on('member.user_id', '=', value('userId')),
    )
    .select([
      'watchlist.version',
      'watchlist.is_private',
      'watchlist.box_count',
      'watchlist.owner_id',
      'member.user_id',
    ])
    .where('watchlist.id', '=', value('watchlistId'))
    .where(IS_THERE),
)

/** The facts that access depends on, and the version of the feed, in one statement. */
export async function findAccess(db: AnyDb, watchlistId: string, userId: string): Promise<AccessRow | undefined> {
  const row = await access(db, { watchlistId, userId })
  return (
    row && {
      feedVersion: row.version,
      isPrivate: row.is_private === 1,
      boxCount: row.box_count,
      isMember: row.user_id !== null,
      isOwner: row.owner_id === userId,
    }
  )
}

const membership = prepared<MemberKey, { user_id: string }>((db, value) =>
  tables(db)
    .selectFrom('member')
    .select('user_id')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('user_id', '=', value('userId')),
)

export async function isMember(db: AnyDb, watchlistId: string, userId: string): Promise<boolean> {
  return (await membership(db, { watchlistId, userId })).length > 0
}

/** The ids of a user's watchlists, oldest membership first. */
export async function listWatchlistIdsOf(db: AnyDb, userId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('person_watchlist')
    .select('watchlist_id')
    .where('user_id', '=', userId)
    .orderBy('joined_at')
    .orderBy('watchlist_id')
    .execute()
  return rows.map((row) => row.watchlist_id)
}

export async function countWatchlistsOf(db: AnyDb, userId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('person_watchlist')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** The watchlists with their members, in no order, in one statement. */
export async function findWatchlists(db: AnyDb, ids: readonly string[]): Promise<WatchlistRow[]> {
  const members = jsonArray(
    db,
    { username: sql.ref('member.username'), joinedAt: sql.ref('member.joined_at') },
    { orderBy: sql`member.joined_at, member.user_id`, from: sql`from member where member.watchlist_id = watchlist.id` },
  )
  return await tables(db)
    .selectFrom('watchlist')
    .select([
      'id',
      'name',
      'description',
      'owner_username',
      'created_at',
      'updated_at',
      'image_hash',
      'is_private',
      'country',
    ])
    .select(members.as('members'))
    .where(isOneOf(db, sql.ref('watchlist.id'), ids))
    .where(IS_THERE)
    .execute()
}

export async function insertWatchlist(
  db: AnyDb,
  watchlist: Omit<
    WatchlistTables['watchlist'],
    'image_hash' | 'version' | 'box_count' | 'member_count' | 'removal_due_at' | 'country'
  > &
    Partial<Pick<WatchlistTables['watchlist'], 'removal_due_at'>>,
): Promise<void> {
  await tables(db)
    .insertInto('watchlist')
    .values({
      ...watchlist,
      image_hash: null,
      version: 1,
      box_count: 0,
      member_count: 0,
      removal_due_at: watchlist.removal_due_at ?? null,
    })
    .execute()
}

/** Adds a member, by watchlist and by user; false if no place is left. */
export async function insertMember(db: AnyDb, member: WatchlistTables['member']): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('watchlist')
    .set((eb) => ({ member_count: eb('member_count', '+', 1) }))
    .where('id', '=', member.watchlist_id)
    .where('member_count', '<', MAX_MEMBERS_PER_WATCHLIST)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await tables(db).insertInto('member').values(member).execute()
  await tables(db)
    .insertInto('person_watchlist')
    .values({ user_id: member.user_id, watchlist_id: member.watchlist_id, joined_at: member.joined_at })
    .execute()
  return true
}

/** The change of the watchlist's own row, besides the lock. */
export type RowChange = {
  readonly boxDelta?: -1 | 0 | 1
  /** Whether a page of the feed changes. A change of the box alone is secret. */
  readonly changesFeed?: boolean
}

const touch = prepared<
  { watchlistId: string },
  Pick<WatchlistTables['watchlist'], 'box_count' | 'member_count'>,
  Required<RowChange>
>((db, value, { boxDelta, changesFeed }) =>
  tables(db)
    .updateTable('watchlist')
    .set((eb) => ({
      version: eb('version', '+', changesFeed ? 1 : 0),
      box_count: eb('box_count', '+', boxDelta),
    }))
    .where('id', '=', value('watchlistId'))
    .where(IS_THERE)
    .where('box_count', '>=', -boxDelta)
    .returning(['box_count', 'member_count']),
)

/**
 * Changes the row of the watchlist and locks it until the transaction ends: other writers wait here. Returns the new count of
 * the box; undefined if there is no such watchlist, or the box is empty and was to shrink.
 */
export async function lockWatchlist(
  db: AnyDb,
  watchlistId: string,
  { boxDelta = 0, changesFeed = false }: RowChange = {},
): Promise<{ boxCount: number; memberCount: number } | undefined> {
  const [row] = await touch(db, { watchlistId }, { boxDelta, changesFeed })
  return row && { boxCount: row.box_count, memberCount: row.member_count }
}

const countBox = prepared<{ watchlistId: string; by: number }, Pick<WatchlistTables['watchlist'], 'box_count'>>(
  (db, value) =>
    tables(db)
      .updateTable('watchlist')
      .set((eb) => ({ box_count: eb('box_count', '+', value('by')) }))
      .where('id', '=', value('watchlistId'))
      .returning('box_count'),
)

/** Counts cards into the box, or out of it, in a transaction that holds the row. Returns the new count. */
export async function changeBoxCount(db: AnyDb, watchlistId: string, by: number): Promise<number> {
  const [row] = await countBox(db, { watchlistId, by })
  if (!row) throw new Error('A watchlist that was locked is gone')
  return row.box_count
}

/** `changeBoxCount` among the last statements of the transaction. */
export function countIntoBox(db: AnyDb, watchlistId: string, by: number): Sent<unknown> {
  return countBox.send(db, { watchlistId, by })
}

/** `lockWatchlist` among the last statements of a transaction that holds the row. */
export function touchAgain(db: AnyDb, watchlistId: string, { boxDelta = 0, changesFeed = false }: RowChange) {
  return touch.send(db, { watchlistId }, { boxDelta, changesFeed }).map(([row]) => {
    if (!row) throw new Error(`The box of ${watchlistId} has a card but its count is 0`)
  })
}

/** What may be changed of a watchlist itself. */
export type WatchlistChange = Partial<
  Pick<
    WatchlistTables['watchlist'],
    'name' | 'description' | 'image_hash' | 'is_private' | 'owner_id' | 'owner_username' | 'country'
  >
>

export async function saveWatchlist(
  db: AnyDb,
  watchlistId: string,
  change: WatchlistChange & { updated_at: string },
): Promise<void> {
  await tables(db).updateTable('watchlist').set(change).where('id', '=', watchlistId).execute()
}

export async function findOwnerId(db: AnyDb, watchlistId: string): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('watchlist')
    .select('owner_id')
    .where('id', '=', watchlistId)
    .where(IS_THERE)
    .executeTakeFirst()
  return row?.owner_id
}

/** The country of a watchlist that has one. */
const countryOf = preparedFirst<{ watchlistId: string }, { country: string | null }>((db, value) =>
  tables(db).selectFrom('watchlist').select('country').where('id', '=', value('watchlistId')).where(IS_THERE),
)

export async function findCountry(db: AnyDb, watchlistId: string): Promise<string | undefined> {
  return (await countryOf(db, { watchlistId }))?.country ?? undefined
}

/** The names of the watchlists that exist. */
export async function findNames(db: AnyDb, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  return await tables(db)
    .selectFrom('watchlist')
    .select(['id', 'name'])
    .where(isOneOf(db, sql.ref('watchlist.id'), ids))
    .where(IS_THERE)
    .execute()
}
