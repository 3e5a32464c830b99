import { given, prepared } from '@marquee/platform/database/prepared'
import { HOUR_MS } from '@marquee/platform/runtime/durations'

import { type Cleanup, type Db, identityTables, type RefreshTokenRow, type SessionRow } from '../../base/tables.ts'

const SESSION_COLUMNS = [
  'sub',
  'origin_jti',
  'client_id',
  'event_id',
  'auth_time',
  'expires_at',
  'revoked_at',
  'device_key',
  'device_group_key',
  'client',
  'used_at',
] as const satisfies (keyof SessionRow)[]

export const addSession = prepared<SessionRow, unknown>((db, value) =>
  identityTables(db).insertInto('identity_session').values(given(SESSION_COLUMNS, value)),
)

export async function findSession(db: Db, sub: string, originJti: string): Promise<SessionRow | undefined> {
  return await db
    .selectFrom('identity_session')
    .selectAll()
    .where('sub', '=', sub)
    .where('origin_jti', '=', originJti)
    .executeTakeFirst()
}

/** Sets the device of a session; both columns are null once it is forgotten. */
export async function setSessionDevice(
  trx: Db,
  { sub, origin_jti }: Pick<SessionRow, 'sub' | 'origin_jti'>,
  columns: Pick<SessionRow, 'device_key' | 'device_group_key'>,
): Promise<void> {
  await trx
    .updateTable('identity_session')
    .set(columns)
    .where('sub', '=', sub)
    .where('origin_jti', '=', origin_jti)
    .execute()
}

/** Records a refresh. */
export async function recordSessionUse(
  trx: Db,
  { sub, origin_jti }: Pick<SessionRow, 'sub' | 'origin_jti'>,
  now: string,
): Promise<void> {
  await trx
    .updateTable('identity_session')
    .set({ used_at: now })
    .where('sub', '=', sub)
    .where('origin_jti', '=', origin_jti)
    .execute()
}

/** The active sessions of a user, newest first. */
export async function listSessions(db: Db, sub: string, now: string): Promise<SessionRow[]> {
  return await db
    .selectFrom('identity_session')
    .selectAll()
    .where('sub', '=', sub)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(100)
    .execute()
}

/** Ends one session with all its tokens; false when it has ended or does not exist. */
export async function revokeSession(trx: Db, sub: string, originJti: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_session')
    .set({ revoked_at: now })
    .where('sub', '=', sub)
    .where('origin_jti', '=', originJti)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  const hasEnded = numUpdatedRows === 1n
  if (hasEnded) await addEndedSessions(trx, [originJti], now)
  return hasEnded
}

/** Ends the sessions of a user, all or those on one device, except the one to keep; returns them. */
export async function revokeSessionsOf(
  trx: Db,
  sub: string,
  { now, keep, device }: { readonly now: string; readonly keep?: string; readonly device?: string },
): Promise<string[]> {
  const revoked = await trx
    .updateTable('identity_session')
    .set({ revoked_at: now })
    .where('sub', '=', sub)
    .where('revoked_at', 'is', null)
    .$if(keep !== undefined, (query) => query.where('origin_jti', '!=', keep ?? ''))
    .$if(device !== undefined, (query) => query.where('device_key', '=', device ?? ''))
    .returning('origin_jti')
    .execute()
  const ended = revoked.map((row) => row.origin_jti)
  await addEndedSessions(trx, ended, now)
  return ended
}

/** Removes the codes that other tools have not used yet. Used ones are kept, so that a reuse is detected. */
export async function removeUnusedCodes(trx: Db, sub: string): Promise<void> {
  await trx.deleteFrom('identity_oauth_code').where('sub', '=', sub).where('origin_jti', 'is', null).execute()
}

/** Stores the hash of a refresh token; a token that two concurrent refreshes derive is stored once. */
export const addRefreshToken = prepared<RefreshTokenRow, unknown>((db, value) =>
  identityTables(db)
    .insertInto('identity_refresh_token')
    .values(given(['sub', 'origin_jti', 'token_hash', 'expires_at', 'replaced_at'], value))
    .onConflict((conflict) => conflict.columns(['sub', 'origin_jti', 'token_hash']).doNothing()),
)

export async function findRefreshToken(
  db: Db,
  key: Pick<RefreshTokenRow, 'sub' | 'origin_jti' | 'token_hash'>,
): Promise<RefreshTokenRow | undefined> {
  return await db
    .selectFrom('identity_refresh_token')
    .selectAll()
    .where('sub', '=', key.sub)
    .where('origin_jti', '=', key.origin_jti)
    .where('token_hash', '=', key.token_hash)
    .executeTakeFirst()
}

/** Marks a refresh token as rotated out, unless another refresh was faster: then its time is kept. */
export async function markReplaced(trx: Db, token: RefreshTokenRow, now: string): Promise<void> {
  await trx
    .updateTable('identity_refresh_token')
    .set({ replaced_at: now })
    .where('sub', '=', token.sub)
    .where('origin_jti', '=', token.origin_jti)
    .where('token_hash', '=', token.token_hash)
    .where('replaced_at', 'is', null)
    .execute()
}

/** Notifies other processes of ended sessions, with the commit. */
async function addEndedSessions(trx: Db, originJtis: readonly string[], now: string): Promise<void> {
  if (originJtis.length === 0) return
  await trx
    .insertInto('identity_ended_session')
    .values(originJtis.map((originJti) => ({ origin_jti: originJti, ended_at: now })))
    .onConflict((conflict) => conflict.column('origin_jti').doNothing())
    .execute()
}

export async function listEndedSessions(db: Db, since: string): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_ended_session')
    .select('origin_jti')
    .where('ended_at', '>=', since)
    .execute()
  return rows.map((row) => row.origin_jti)
}

export const sessionCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_session').where('sub', 'in', subs).execute()
    await trx.deleteFrom('identity_refresh_token').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    await trx.deleteFrom('identity_ended_session').where('ended_at', '<', ago(HOUR_MS)).execute()
    // A session outlives its refresh token by the life of the last access token made with it.
    await trx
      .deleteFrom('identity_refresh_token')
      .where('expires_at', '<', ago(24 * HOUR_MS))
      .execute()
    await trx
      .deleteFrom('identity_session')
      .where('expires_at', '<', ago(24 * HOUR_MS))
      .execute()
  },
}
