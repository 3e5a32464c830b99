import { prepared } from '@marquee/platform/database/prepared'

import { type Db, identityTables } from '../tables.ts'

/** Whether a nonce was used up. */
export async function isBurned(db: Db, nonce: string): Promise<boolean> {
  const row = await db.selectFrom('identity_used_nonce').select('nonce').where('nonce', '=', nonce).executeTakeFirst()
  return row !== undefined
}

const useUp = prepared<{ nonce: string; expiresAt: string }, { nonce: string }>((db, value) =>
  identityTables(db)
    .insertInto('identity_used_nonce')
    .values({ nonce: value('nonce'), expires_at: value('expiresAt') })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce'),
)

/**
 * Uses a nonce up; false when it was used before. Belongs in the transaction of what it guards.
 * @param expiresAt in seconds since 1970
 */
export async function burnNonce(trx: Db, nonce: string, expiresAt: number): Promise<boolean> {
  return (await useUp(trx, { nonce, expiresAt: new Date(expiresAt * 1000).toISOString() })).length === 1
}
