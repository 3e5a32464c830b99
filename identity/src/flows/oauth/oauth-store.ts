import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { Cleanup, Db, OAuthCodeRow, OAuthGrantRow } from '../../base/tables.ts'

type CodeKey = Pick<OAuthCodeRow, 'sub' | 'code_hash'>

export async function addCode(trx: Db, code: OAuthCodeRow): Promise<void> {
  await trx.insertInto('identity_oauth_code').values(code).execute()
}

export async function findCode(db: Db, key: CodeKey): Promise<OAuthCodeRow | undefined> {
  return await db
    .selectFrom('identity_oauth_code')
    .selectAll()
    .where('sub', '=', key.sub)
    .where('code_hash', '=', key.code_hash)
    .executeTakeFirst()
}

/** Marks a code as used for a session; false when it was used before. */
export async function useCode(trx: Db, key: CodeKey, originJti: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_oauth_code')
    .set({ origin_jti: originJti })
    .where('sub', '=', key.sub)
    .where('code_hash', '=', key.code_hash)
    .where('origin_jti', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Stores the scopes of a session of another tool. */
export async function addGrant(trx: Db, grant: OAuthGrantRow): Promise<void> {
  await trx.insertInto('identity_oauth_grant').values(grant).execute()
}

export async function findGrant(db: Db, sub: string, originJti: string): Promise<OAuthGrantRow | undefined> {
  return await db
    .selectFrom('identity_oauth_grant')
    .selectAll()
    .where('sub', '=', sub)
    .where('origin_jti', '=', originJti)
    .executeTakeFirst()
}

export const oauthCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_oauth_code').where('sub', 'in', subs).execute()
    await trx.deleteFrom('identity_oauth_grant').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    // A used code is kept for a day after its end, so that a reuse is still detected.
    await trx.deleteFrom('identity_oauth_code').where('expires_at', '<', ago(DAY_MS)).execute()
    await trx.deleteFrom('identity_oauth_grant').where('expires_at', '<', ago(DAY_MS)).execute()
  },
}
