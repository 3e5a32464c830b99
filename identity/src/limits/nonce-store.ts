import type { Db } from '../tables.ts'

/** Whether a nonce was used up. */
export async function isBurned(db: Db, nonce: string): Promise<boolean> {
  const row = await db.selectFrom('identity_used_nonce').select('nonce').where('nonce', '=', nonce).executeTakeFirst()
  return row !== undefined
}

/** Uses a nonce up; false when it was used before. Belongs in the transaction of what it guards. */
export async function burnNonce(trx: Db, nonce: string, expiresAt: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identity_used_nonce')
    .values({ nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
