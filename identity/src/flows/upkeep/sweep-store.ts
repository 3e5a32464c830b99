import { removeUnknownRuns } from '../../base/audit/security-event-store.ts'
import type { Db } from '../../base/tables.ts'
import { removeTracesOf } from '../account/user-removal-store.ts'

const BATCH = 500

/** Removes users who signed up before the given time and never confirmed, with everything kept under their id. */
export async function removeAbandonedUsers(trx: Db, before: string): Promise<void> {
  const abandoned = trx
    .selectFrom('identity_user')
    .select('sub')
    .where('status', '=', 'UNCONFIRMED')
    .where('created_at', '<', before)
    .limit(BATCH)
  // The user goes first: a confirmation at the same moment then either kept them or finds them gone.
  const removed = await trx
    .deleteFrom('identity_user')
    .where('sub', 'in', abandoned)
    .where('status', '=', 'UNCONFIRMED')
    .returning(['sub', 'username', 'email_key'])
    .execute()
  await removeTracesOf(trx, removed)
}

/** Removes what time has made meaningless. */
export async function removeOutdated(
  trx: Db,
  { now, hourAgo, dayAgo, monthAgo, yearAgo }: Record<'now' | 'hourAgo' | 'dayAgo' | 'monthAgo' | 'yearAgo', string>,
): Promise<void> {
  await trx.deleteFrom('identity_used_nonce').where('expires_at', '<', now).execute()
  await trx.deleteFrom('identity_code').where('expires_at', '<', now).execute()
  await trx.deleteFrom('identity_sign_in').where('expires_at', '<', now).execute()
  await trx.deleteFrom('identity_passkey_challenge').where('expires_at', '<', now).execute()
  await trx.deleteFrom('identity_oauth_grant').where('expires_at', '<', dayAgo).execute()
  // A code is remembered for a day after its end, so that one that comes again is known for what it is.
  await trx.deleteFrom('identity_oauth_code').where('expires_at', '<', dayAgo).execute()
  await trx.deleteFrom('identity_ended_session').where('ended_at', '<', hourAgo).execute()
  await trx.deleteFrom('identity_quota').where('last_at', '<', hourAgo).execute()
  await trx.deleteFrom('identity_lockout').where('last_failure_at', '<', dayAgo).execute()
  await trx.deleteFrom('identity_security_event').where('at', '<', yearAgo).execute()
  // Guessed names that do not exist would pile up. What remains after an outage of a month is removed after a year.
  await removeUnknownRuns(trx, { from: monthAgo, to: hourAgo })
  // A session outlives its refresh token by the life of the last access token made with it.
  await trx.deleteFrom('identity_refresh_token').where('expires_at', '<', dayAgo).execute()
  await trx.deleteFrom('identity_session').where('expires_at', '<', dayAgo).execute()
}
