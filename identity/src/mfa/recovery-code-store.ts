import type { Db } from '../tables.ts'

type RecoveryCodeRow = { sub: string; mac: Uint8Array; created_at: string }

export async function replaceRecoveryCodes(trx: Db, sub: string, rows: readonly RecoveryCodeRow[]): Promise<void> {
  await removeRecoveryCodes(trx, sub)
  await trx.insertInto('identity_recovery_code').values(rows).execute()
}

/** Uses a code up; false when there is none like it. */
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
