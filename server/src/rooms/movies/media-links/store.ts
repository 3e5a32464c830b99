import { sql } from 'kysely'

import type { MediaLink } from '@marquee/contract/entities/media-link'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { preparedFirst } from '@marquee/platform/database/prepared'

export type MediaLinkTables = {
  /** The address to which a server reports. */
  media_hook: {
    watchlist_id: string
    server_id: string
    secret_hash: string
    made_at: string
    last_at: string | null
    taken: number
    unlinked: number
    unmatched: number
  }
  media_link: LinkRow
  media_mark: MarkRow
}

/** The user of a server whom a member has linked. */
export type LinkRow = {
  watchlist_id: string
  server_id: string
  user_id: string
  username: string
  state: MediaLink['state']
  /** The user at the server. */
  remote_id: string
  remote_name: string
  /** The device that the token was made for. */
  device: string | null
  /** Encrypted; null where marks are sent with the key of the server, or not at all. */
  token: string | null
  is_sent: number
  linked_at: string
  failures: number
  failing_since: number | null
  /** Until when the server is left alone after a failure. */
  retry_at: number
}

/** What a server knows of a film that a linked user has seen, and what is still to be sent. */
export type MarkRow = {
  watchlist_id: string
  server_id: string
  user_id: string
  card_id: string
  /** 1 if the server has it as seen, 0 if as not seen; null if that is not known. */
  known: number | null
  /** The same for what is to be sent. The last word counts. */
  wanted: number | null
  /** Rises with each change of `wanted`, so that a mark that was sent before does not count as the last one. */
  version: number
  /** When the server last reported that the film was played, in milliseconds since 1970. */
  played_at: number | null
  due_at: number | null
  attempts: number
}

export type HookRow = MediaLinkTables['media_hook']
export type ServerKey = { readonly watchlistId: string; readonly serverId: string }
export type LinkKey = ServerKey & { readonly userId: string }

const tables = withTables<MediaLinkTables>

export async function listLinksOf(db: AnyDb, watchlistId: string, userId: string): Promise<LinkRow[]> {
  return await tables(db)
    .selectFrom('media_link')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .orderBy('server_id')
    .execute()
}

/** The links to a server, at most one of each member. */
export async function listLinksTo(db: AnyDb, { watchlistId, serverId }: ServerKey): Promise<LinkRow[]> {
  return await tables(db)
    .selectFrom('media_link')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('server_id', '=', serverId)
    .orderBy('user_id')
    .execute()
}

/** The links that wait for those who gave the keys of their servers. */
export async function listWaiting(db: AnyDb, watchlistId: string): Promise<LinkRow[]> {
  return await tables(db)
    .selectFrom('media_link')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('state', '=', 'waiting')
    .orderBy('linked_at')
    .orderBy('user_id')
    .execute()
}

export async function findLink(db: AnyDb, { watchlistId, serverId, userId }: LinkKey): Promise<LinkRow | undefined> {
  return await tables(db)
    .selectFrom('media_link')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('server_id', '=', serverId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Saves a link in place of an earlier one of the same member. What waits to be sent stays. */
export async function saveLink(db: AnyDb, link: LinkRow): Promise<void> {
  const { watchlist_id: _watchlist, server_id: _server, user_id: _user, ...content } = link
  await tables(db)
    .insertInto('media_link')
    .values(link)
    .onConflict((conflict) => conflict.columns(['watchlist_id', 'server_id', 'user_id']).doUpdateSet(content))
    .execute()
}

export async function changeLink(
  db: AnyDb,
  { watchlistId, serverId, userId }: LinkKey,
  change: Partial<Omit<LinkRow, 'watchlist_id' | 'server_id' | 'user_id'>>,
): Promise<void> {
  await tables(db)
    .updateTable('media_link')
    .set(change)
    .where('watchlist_id', '=', watchlistId)
    .where('server_id', '=', serverId)
    .where('user_id', '=', userId)
    .execute()
}

/** Ends a link whose token is refused. False if it has another token by now. */
export async function endLink(db: AnyDb, link: LinkRow): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('media_link')
    .set({ state: 'ended', token: null, failures: 0, failing_since: null, retry_at: 0 })
    .where('watchlist_id', '=', link.watchlist_id)
    .where('server_id', '=', link.server_id)
    .where('user_id', '=', link.user_id)
    .where('token', link.token === null ? 'is' : '=', link.token)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deletes a link with what is known of films and what waits to be sent. False if there was none. */
export async function deleteLink(db: AnyDb, { watchlistId, serverId, userId }: LinkKey): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('media_link')
    .where('watchlist_id', '=', watchlistId)
    .where('server_id', '=', serverId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function listHooks(db: AnyDb, watchlistId: string): Promise<HookRow[]> {
  return await tables(db)
    .selectFrom('media_hook')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .orderBy('made_at')
    .orderBy('server_id')
    .execute()
}

const secretOf = preparedFirst<ServerKey, { secret_hash: string }>((db, value) =>
  tables(db)
    .selectFrom('media_hook')
    .select('secret_hash')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('server_id', '=', value('serverId')),
)

export async function findSecretHash(db: AnyDb, key: ServerKey): Promise<string | undefined> {
  return (await secretOf(db, key))?.secret_hash
}

/** Saves the address of a server in place of an earlier one, whose counts end with it. */
export async function saveHook(db: AnyDb, hook: HookRow): Promise<void> {
  const { watchlist_id: _watchlist, server_id: _server, ...content } = hook
  await tables(db)
    .insertInto('media_hook')
    .values(hook)
    .onConflict((conflict) => conflict.columns(['watchlist_id', 'server_id']).doUpdateSet(content))
    .execute()
}

export async function countReport(
  db: AnyDb,
  { watchlistId, serverId }: ServerKey,
  what: 'taken' | 'unlinked' | 'unmatched' | null,
  at: string,
): Promise<void> {
  await tables(db)
    .updateTable('media_hook')
    .set({ last_at: at, ...(what !== null && { [what]: sql`${sql.ref(what)} + 1` }) })
    .where('watchlist_id', '=', watchlistId)
    .where('server_id', '=', serverId)
    .execute()
}
