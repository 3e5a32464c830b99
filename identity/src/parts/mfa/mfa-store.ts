import type { Cleanup, Db, TotpRow } from '../../base/tables.ts'

/** Stores a pending secret, which replaces another pending one. */
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

/** Makes the pending secret the verified one, with the step of its first code. */
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

/** Uses up a step and all before it; false when it was used already, also by a concurrent call. */
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

type RecoveryCodeRow = { sub: string; mac: Uint8Array; created_at: string }

export async function replaceRecoveryCodes(trx: Db, sub: string, rows: readonly RecoveryCodeRow[]): Promise<void> {
  await removeRecoveryCodes(trx, sub)
  await trx.insertInto('identity_recovery_code').values(rows).execute()
}

/** Uses up a code; false when there is no such code. */
export async function takeRecoveryCode(trx: Db, sub: string, mac: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('identity_recovery_code')
    .where('sub', '=', sub)
    .where('mac', '=', mac)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function removeRecoveryCodes(trx: Db, sub: string): Promise<void> {
  await trx.deleteFrom('identity_recovery_code').where('sub', '=', sub).execute()
}

export async function countRecoveryCodeRows(db: Db, sub: string): Promise<number> {
  const { count } = await db
    .selectFrom('identity_recovery_code')
    .select((eb) => eb.fn.countAll<number | bigint | string>().as('count'))
    .where('sub', '=', sub)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const mfaCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_totp').where('sub', 'in', subs).execute()
    await trx.deleteFrom('identity_recovery_code').where('sub', 'in', subs).execute()
  },
}
