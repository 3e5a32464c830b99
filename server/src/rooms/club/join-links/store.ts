import { sql } from 'kysely'

import type { LinkCreators } from '@marquee/contract/entities/join-link'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { preparedFirst } from '@marquee/platform/database/prepared'
import { DAY_MS } from '@marquee/platform/runtime/durations'

export type JoinLinkTables = {
  join_link: {
    watchlist_id: string
    id: string
    token_hash: string
    user_id: string
    username: string
    created_at: string
    expires_at: string
    revoked_at: string | null
    max_uses: number
    uses: number
    /** The mail address that the link invites, in the form that compares; null once it is used or revoked. */
    address: string | null
    /** The user with that address, once they have the invitation. */
    invitee_id: string | null
    /** When the mail server refused the mail with the link for good. */
    mail_refused_at: string | null
  }
  join_token: { token_hash: string; watchlist_id: string; link_id: string }
  /** The use of a link that an account holds until it is confirmed. With `is_returned` the link has it back. */
  join_reservation: {
    user_id: string
    watchlist_id: string
    link_id: string
    reserved_until: string
    is_returned: number
  }
  join_policy: { watchlist_id: string; creators: LinkCreators }
}

export type JoinLinkRow = JoinLinkTables['join_link']
export type LinkKey = { watchlistId: string; linkId: string }

/** For this long, an ended link says why it does not work. */
const ENDED_KEPT_MS = 30 * DAY_MS

const tables = withTables<JoinLinkTables>

const LINK_COLUMNS = [
  'watchlist_id',
  'id',
  'token_hash',
  'user_id',
  'username',
  'created_at',
  'expires_at',
  'revoked_at',
  'max_uses',
  'uses',
  'address',
  'invitee_id',
  'mail_refused_at',
] as const

/** Adds a link, by watchlist and by token. */
export async function insertLink(db: AnyDb, link: JoinLinkRow): Promise<void> {
  const { token_hash, watchlist_id, id: link_id } = link
  await tables(db).insertInto('join_link').values(link).execute()
  await tables(db).insertInto('join_token').values({ token_hash, watchlist_id, link_id }).execute()
}

/** Notes that the mail with a link was refused for good. */
export async function noteRefusedLink(trx: AnyDb, { watchlistId, linkId }: LinkKey, now: string): Promise<void> {
  await tables(trx)
    .updateTable('join_link')
    .set({ mail_refused_at: now })
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', linkId)
    .execute()
}

/** The open links of a watchlist, newest first: those for anyone, or those that invite a mail address. */
export async function listOpenLinks(
  db: AnyDb,
  watchlistId: string,
  now: string,
  kind: 'for anyone' | 'mailed' = 'for anyone',
): Promise<JoinLinkRow[]> {
  return await tables(db)
    .selectFrom('join_link')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('uses', '<', 'max_uses')
    .where('address', kind === 'mailed' ? 'is not' : 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function saveInvitee(db: AnyDb, { watchlistId, linkId }: LinkKey, inviteeId: string): Promise<void> {
  await tables(db)
    .updateTable('join_link')
    .set({ invitee_id: inviteeId })
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', linkId)
    .execute()
}

export const findLink = preparedFirst<LinkKey, JoinLinkRow>((db, value) =>
  tables(db)
    .selectFrom('join_link')
    .select(LINK_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('linkId')),
)

/** Where the link with this token is. */
export async function findByToken(db: AnyDb, tokenHash: string): Promise<LinkKey | undefined> {
  return await tables(db)
    .selectFrom('join_token')
    .select(['watchlist_id as watchlistId', 'link_id as linkId'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Counts one use, and forgets the address that was invited. Returns whom the link invited; undefined if it is not open. */
export async function takeUse(db: AnyDb, key: LinkKey, now: string): Promise<string[] | undefined> {
  const invited = await reserveUse(db, key, now)
  if (invited) await forgetAddress(db, key)
  return invited
}

export async function forgetAddress(db: AnyDb, { watchlistId, linkId }: LinkKey): Promise<void> {
  await tables(db)
    .updateTable('join_link')
    .set({ address: null })
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', linkId)
    .where('address', 'is not', null)
    .execute()
}

/** `takeUse` for a use that may be returned: the link keeps its address. */
export async function reserveUse(
  db: AnyDb,
  { watchlistId, linkId }: LinkKey,
  now: string,
): Promise<string[] | undefined> {
  const used = await tables(db)
    .updateTable('join_link')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('uses', '<', 'max_uses')
    .returning('invitee_id')
    .executeTakeFirst()
  return used && inviteesOf([used])
}

/** Revokes one link, all links that were not created by `exceptBy`, or all. Returns whom they invited. */
export async function revokeLinks(
  db: AnyDb,
  watchlistId: string,
  which: { linkId: string } | { exceptBy: string } | 'all',
  now: string,
): Promise<string[]> {
  const update = tables(db)
    .updateTable('join_link')
    .set({ revoked_at: now, address: null })
    .where('watchlist_id', '=', watchlistId)
    .where('revoked_at', 'is', null)
    .returning('invitee_id')
  if (which === 'all') return inviteesOf(await update.execute())
  const some = 'linkId' in which ? update.where('id', '=', which.linkId) : update.where('user_id', '<>', which.exceptBy)
  return inviteesOf(await some.execute())
}

/** Deletes the links that these users created, open or not. Returns whom they invited. */
export async function deleteLinksBy(db: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<string[]> {
  const deleted = await tables(db)
    .deleteFrom('join_link')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .returning(['token_hash', 'invitee_id'])
    .execute()
  await deleteTokens(db, deleted)
  return inviteesOf(deleted)
}

function inviteesOf(links: readonly { invitee_id: string | null }[]): string[] {
  return links.flatMap(({ invitee_id: inviteeId }) => inviteeId ?? [])
}

/** Deletes the links that ended so long ago that they no longer need to say why they do not work. */
export async function deleteEndedLinks(db: AnyDb, watchlistId: string, now: string): Promise<void> {
  const before = new Date(Date.parse(now) - ENDED_KEPT_MS).toISOString()
  const deleted = await tables(db)
    .deleteFrom('join_link')
    .where('watchlist_id', '=', watchlistId)
    .where((eb) => eb.or([eb('expires_at', '<', before), eb('revoked_at', '<', before)]))
    .returning('token_hash')
    .execute()
  await deleteTokens(db, deleted)
}

async function deleteTokens(db: AnyDb, links: readonly { token_hash: string }[]): Promise<void> {
  const hashes = links.map((link) => link.token_hash)
  if (hashes.length === 0) return
  await tables(db)
    .deleteFrom('join_token')
    .where(isOneOf(db, sql.ref('token_hash'), hashes))
    .execute()
}

/** Who may create links. */
export async function findCreators(db: AnyDb, watchlistId: string): Promise<LinkCreators> {
  const row = await tables(db)
    .selectFrom('join_policy')
    .select('creators')
    .where('watchlist_id', '=', watchlistId)
    .executeTakeFirst()
  return row?.creators ?? 'members'
}

export async function saveCreators(db: AnyDb, watchlistId: string, creators: LinkCreators): Promise<void> {
  await tables(db)
    .insertInto('join_policy')
    .values({ watchlist_id: watchlistId, creators })
    .onConflict((conflict) => conflict.column('watchlist_id').doUpdateSet({ creators }))
    .execute()
}

export async function returnUse(db: AnyDb, { watchlistId, linkId }: LinkKey): Promise<void> {
  await tables(db)
    .updateTable('join_link')
    .set((eb) => ({ uses: eb('uses', '-', 1) }))
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', linkId)
    .where('uses', '>', 0)
    .execute()
}

export async function insertReservation(db: AnyDb, reservation: JoinLinkTables['join_reservation']): Promise<void> {
  await tables(db).insertInto('join_reservation').values(reservation).execute()
}

/** Deletes the reservation of an account, and returns it. */
export async function takeReservation(
  db: AnyDb,
  userId: string,
): Promise<JoinLinkTables['join_reservation'] | undefined> {
  return await tables(db).deleteFrom('join_reservation').where('user_id', '=', userId).returningAll().executeTakeFirst()
}

/** Marks some reservations that are over as returned, and returns their links. No other process gets the same ones. */
export async function returnReservations(db: AnyDb, now: string, limit: number): Promise<LinkKey[]> {
  const over = tables(db)
    .selectFrom('join_reservation')
    .select('user_id')
    .where('is_returned', '=', 0)
    .where('reserved_until', '<=', now)
    .orderBy('reserved_until')
    .limit(limit)
  return await tables(db)
    .updateTable('join_reservation')
    .set({ is_returned: 1 })
    .where('user_id', 'in', over)
    .where('is_returned', '=', 0)
    .returning(['watchlist_id as watchlistId', 'link_id as linkId'])
    .execute()
}

/** Deletes the reservations that were returned before a time: their accounts are gone. */
export async function deleteReturned(db: AnyDb, before: string): Promise<void> {
  await tables(db)
    .deleteFrom('join_reservation')
    .where('is_returned', '=', 1)
    .where('reserved_until', '<', before)
    .execute()
}
