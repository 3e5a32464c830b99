import type { Db, TotpRow } from '../tables.ts'

/** Keeps a secret that waits for its first right code, in place of another one that waits. */
export async function putPendingTotp(trx: Db, row: Omit<TotpRow, 'state' | 'friendly_name'>): Promise<void> {
  const { sub, ...fresh } = { ...row, friendly_name: null }
  await trx
    .insertInto('identity_totp')
    .values({ sub, state: 'pending', ...fresh })
    .onConflict((conflict) => conflict.columns(['sub', 'state']).doUpdateSet(fresh))
    .execute()
}

export async function findTotp(db: Db, sub: string, state: TotpRow['state']): Promise<TotpRow | undefined> {
  return await db
    .selectFrom('identity_totp')
    .selectAll()
    .where('sub', '=', sub)
    .where('state', '=', state)
    .executeTakeFirst()
}

/** The waiting secret takes the place of the one in force, with the step its first code belonged to. */
export async function promotePendingTotp(
  trx: Db,
  sub: string,
  { step, friendlyName }: { step: number; friendlyName: string | undefined },
): Promise<void> {
  await trx.deleteFrom('identity_totp').where('sub', '=', sub).where('state', '=', 'verified').execute()
  await trx
    .updateTable('identity_totp')
    .set({ state: 'verified', last_step: step, friendly_name: friendlyName ?? null })
    .where('sub', '=', sub)
    .where('state', '=', 'pending')
    .execute()
}

/** Uses a step up, with all before it; false when it was used already, also at this very moment. */
export async function spendStep(trx: Db, sub: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_totp')
    .set({ last_step: step })
    .where('sub', '=', sub)
    .where('state', '=', 'verified')
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
