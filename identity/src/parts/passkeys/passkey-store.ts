import type { Cleanup, Db, PasskeyRow } from '../../base/tables.ts'

type PasskeyKey = Pick<PasskeyRow, 'sub' | 'credential_id'>

/** Adds a passkey; false when it is registered already. The primary key of the owners settles races. */
export async function addPasskey(trx: Db, passkey: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identity_passkey_owner')
    .values({ credential_id: passkey.credential_id, sub: passkey.sub })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await trx.insertInto('identity_passkey').values(passkey).execute()
  return true
}

export async function findPasskey(db: Db, { sub, credential_id }: PasskeyKey): Promise<PasskeyRow | undefined> {
  return await db
    .selectFrom('identity_passkey')
    .selectAll()
    .where('sub', '=', sub)
    .where('credential_id', '=', credential_id)
    .executeTakeFirst()
}

/** All passkeys of a user, in the order of their ids; there are never many. */
export async function listPasskeys(db: Db, sub: string): Promise<PasskeyRow[]> {
  return await db.selectFrom('identity_passkey').selectAll().where('sub', '=', sub).orderBy('credential_id').execute()
}

/** Gives a passkey a name; undefined when there is none of that id. */
export async function namePasskey(
  trx: Db,
  { sub, credential_id }: PasskeyKey,
  name: string,
): Promise<PasskeyRow | undefined> {
  return await trx
    .updateTable('identity_passkey')
    .set({ name })
    .where('sub', '=', sub)
    .where('credential_id', '=', credential_id)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Records a sign-in with its counter; false when the passkey was removed or another sign-in used this counter, so that
 * of two copies of one authenticator only one signs in.
 */
export async function recordPasskeyUse(
  trx: Db,
  { sub, credential_id, counter }: PasskeyRow,
  used: { counter: number; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_passkey')
    .set({ counter: used.counter, used_at: used.now })
    .where('sub', '=', sub)
    .where('credential_id', '=', credential_id)
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes a passkey; false when there was none. */
export async function removePasskey(trx: Db, { sub, credential_id }: PasskeyKey): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('identity_passkey')
    .where('sub', '=', sub)
    .where('credential_id', '=', credential_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows !== 1n) return false
  await disownPasskeys(trx, [credential_id])
  return true
}

async function disownPasskeys(trx: Db, credentialIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('identity_passkey_owner').where('credential_id', 'in', credentialIds).execute()
}

export async function addPasskeyChallenge(
  trx: Db,
  challenge: { sub: string; challenge: string; expires_at: string },
): Promise<void> {
  await trx.insertInto('identity_passkey_challenge').values(challenge).execute()
}

/** Uses up a challenge; false when it belongs to another user, was used, or has expired. */
export async function takePasskeyChallenge(
  trx: Db,
  { sub, challenge }: { sub: string; challenge: string },
  now: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('identity_passkey_challenge')
    .where('sub', '=', sub)
    .where('challenge', '=', challenge)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export const passkeyCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    const removed = await trx
      .deleteFrom('identity_passkey')
      .where('sub', 'in', subs)
      .returning('credential_id')
      .execute()
    const ids = removed.map((row) => row.credential_id)
    if (ids.length > 0) await disownPasskeys(trx, ids)
    await trx.deleteFrom('identity_passkey_challenge').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    await trx.deleteFrom('identity_passkey_challenge').where('expires_at', '<', ago(0)).execute()
  },
}
