import type { Db } from './base/tables.ts'

const SLOT = 'built-in'

/** The ids of the pool. If two processes make them concurrently, the first ones are used by both. */
export async function keepPoolIds(
  trx: Db,
  made: { userPoolId: string; clientId: string; now: string },
): Promise<{ userPoolId: string; clientId: string }> {
  await trx
    .insertInto('identity_pool')
    .values({ slot: SLOT, user_pool_id: made.userPoolId, client_id: made.clientId, created_at: made.now })
    .onConflict((conflict) => conflict.column('slot').doNothing())
    .execute()
  const row = await trx.selectFrom('identity_pool').selectAll().where('slot', '=', SLOT).executeTakeFirstOrThrow()
  return { userPoolId: row.user_pool_id, clientId: row.client_id }
}
