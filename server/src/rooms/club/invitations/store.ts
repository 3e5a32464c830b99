import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

type WaitingRow = {
  watchlist_id: string
  user_id: string
  username: string
  invited_by: string
  created_at: string
  expires_at: string
}

export type InvitationTables = {
  /** `mail_refused_at` is when the mail server refused its mail for good. */
  invitation: WaitingRow & { mail_refused_at: string | null }
  /** `link_id` is set if the invitation went to the mail address of the user. */
  person_invitation: WaitingRow & { token_hash: string; accepted_at: string | null; link_id: string | null }
}

export type InvitationRow = WaitingRow

/** The invitation to find. */
export type FoundInvitation = Pick<
  InvitationTables['person_invitation'],
  'watchlist_id' | 'user_id' | 'token_hash' | 'link_id'
>

const FOUND = ['watchlist_id', 'user_id', 'token_hash', 'link_id'] as const

const tables = withTables<InvitationTables>

/** Saves an invitation, by watchlist and by user; it replaces an earlier one. */
export async function saveInvitation(db: AnyDb, invitation: InvitationRow, tokenHash: string): Promise<void> {
  const { watchlist_id: _watchlistId, user_id: _userId, ...rest } = invitation
  await tables(db)
    .insertInto('invitation')
    .values({ ...invitation, mail_refused_at: null })
    .onConflict((conflict) =>
      conflict.columns(['watchlist_id', 'user_id']).doUpdateSet({ ...rest, mail_refused_at: null }),
    )
    .execute()
  const ofPerson = { token_hash: tokenHash, accepted_at: null, link_id: null }
  await tables(db)
    .insertInto('person_invitation')
    .values({ ...invitation, ...ofPerson })
    .onConflict((conflict) => conflict.columns(['user_id', 'watchlist_id']).doUpdateSet({ ...rest, ...ofPerson }))
    .execute()
}

/** Saves the invitation of a mail address for the user who has it; false if they have another pending one. */
export async function saveMailInvitation(
  db: AnyDb,
  invitation: InvitationRow & { link_id: string; token_hash: string },
): Promise<boolean> {
  const { watchlist_id: _watchlistId, user_id: _userId, ...rest } = invitation
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto('person_invitation')
    .values({ ...invitation, accepted_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'watchlist_id'])
        .doUpdateSet({ ...rest, accepted_at: null })
        .where((eb) =>
          eb.or([
            eb('person_invitation.accepted_at', 'is not', null),
            eb('person_invitation.link_id', 'is not', null),
            eb('person_invitation.expires_at', '<=', invitation.created_at),
          ]),
        ),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes what these users received by the links of a watchlist. */
export async function deleteMailInvitations(db: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<void> {
  await tables(db)
    .deleteFrom('person_invitation')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .where('link_id', 'is not', null)
    .execute()
}

/** The pending invitations of a watchlist, oldest first. */
export async function listWaiting(
  db: AnyDb,
  watchlistId: string,
  now: string,
): Promise<InvitationTables['invitation'][]> {
  return await tables(db)
    .selectFrom('invitation')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('user_id')
    .execute()
}

/** Notes that the mail of an invitation was refused for good. */
export async function noteRefusedMail(
  trx: AnyDb,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  now: string,
): Promise<void> {
  await tables(trx)
    .updateTable('invitation')
    .set({ mail_refused_at: now })
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .execute()
}

/** The ids of users with an invitation to the watchlist that is not accepted, expired or not. */
export async function listInvitedIds(db: AnyDb, watchlistId: string): Promise<string[]> {
  return idsOf(await invitedTo(db, watchlistId).execute())
}

/** The ids of users whom a user has invited to the watchlist by name. */
export async function listInvitedBy(
  db: AnyDb,
  watchlistId: string,
  { username }: { readonly username: string },
): Promise<string[]> {
  return idsOf(await invitedTo(db, watchlistId).where('invited_by', '=', username).execute())
}

export async function listExpiredIds(db: AnyDb, watchlistId: string, now: string): Promise<string[]> {
  return idsOf(await invitedTo(db, watchlistId).where('expires_at', '<=', now).execute())
}

function invitedTo(db: AnyDb, watchlistId: string) {
  return tables(db).selectFrom('invitation').select('user_id').where('watchlist_id', '=', watchlistId)
}

const idsOf = (rows: readonly { user_id: string }[]): string[] => rows.map((row) => row.user_id)

/**
 * The watchlists from which a user has an invitation, accepted or not, and whether its members see it as pending. They do not see
 * that one which went to a mail address has reached a user.
 */
export async function listInvitedTo(
  db: AnyDb,
  userId: string,
  now: string,
): Promise<{ watchlistId: string; isShown: boolean }[]> {
  const rows = await tables(db)
    .selectFrom('person_invitation')
    .select(['watchlist_id', 'accepted_at', 'link_id', 'expires_at'])
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => ({
    watchlistId: row.watchlist_id,
    isShown: row.accepted_at === null && row.link_id === null && row.expires_at > now,
  }))
}

/** The pending invitations of a user, newest first, at most `limit`. */
export async function listWaitingFor(
  db: AnyDb,
  userId: string,
  { now, limit }: { now: string; limit: number },
): Promise<InvitationRow[]> {
  return await tables(db)
    .selectFrom('person_invitation')
    .select(['watchlist_id', 'user_id', 'username', 'invited_by', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('watchlist_id')
    .limit(limit)
    .execute()
}

function invitationsOf(db: AnyDb, userId: string) {
  return tables(db).selectFrom('person_invitation').select(FOUND).where('user_id', '=', userId)
}

/** A pending invitation of a user. */
export async function findPending(
  db: AnyDb,
  userId: string,
  watchlistId: string,
  now: string,
): Promise<FoundInvitation | undefined> {
  return await invitationsOf(db, userId)
    .where('watchlist_id', '=', watchlistId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function findByToken(db: AnyDb, userId: string, tokenHash: string): Promise<FoundInvitation | undefined> {
  return await invitationsOf(db, userId).where('token_hash', '=', tokenHash).executeTakeFirst()
}

export async function findByWatchlist(
  db: AnyDb,
  userId: string,
  watchlistId: string,
): Promise<FoundInvitation | undefined> {
  return await invitationsOf(db, userId).where('watchlist_id', '=', watchlistId).executeTakeFirst()
}

/** The username of a pending invitation; undefined if that user has none with this token. */
export async function findWaitingName(
  db: AnyDb,
  { userId, tokenHash, now }: { userId: string; tokenHash: string; now: string },
): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('person_invitation')
    .select('username')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.username
}

/** Marks an invitation as accepted; false if it is no longer pending, for example because another replaced it. */
export async function takeInvitation(db: AnyDb, invitation: FoundInvitation, now: string): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('person_invitation')
    .set({ accepted_at: now })
    .where('user_id', '=', invitation.user_id)
    .where('watchlist_id', '=', invitation.watchlist_id)
    .where('token_hash', '=', invitation.token_hash)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await tables(db)
    .deleteFrom('invitation')
    .where('watchlist_id', '=', invitation.watchlist_id)
    .where('user_id', '=', invitation.user_id)
    .execute()
  return true
}

/**
 * Deletes the invitations of these users to a watchlist, accepted or not: all, or what has expired by a time, because they may
 * have received another one by mail.
 */
export async function deleteInvitations(
  db: AnyDb,
  watchlistId: string,
  userIds: readonly string[],
  { expiredBy }: { readonly expiredBy?: string } = {},
): Promise<void> {
  for (const table of ['invitation', 'person_invitation'] as const) {
    await tables(db)
      .deleteFrom(table)
      .where('watchlist_id', '=', watchlistId)
      .where(isOneOf(db, sql.ref('user_id'), userIds))
      .$if(expiredBy !== undefined, (query) => query.where('expires_at', '<=', expiredBy ?? ''))
      .execute()
  }
}
