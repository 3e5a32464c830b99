import type { Db } from '../tables.ts'
import type { PasswordColumns } from '../users/password-verifier.ts'

export async function giveTemporaryPassword(
  trx: Db,
  sub: string,
  columns: PasswordColumns,
  { now, until }: { now: string; until: string },
): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ ...columns, status: 'FORCE_CHANGE_PASSWORD', temporary_until: until, updated_at: now })
    .where('sub', '=', sub)
    .where('status', '!=', 'UNCONFIRMED')
    .execute()
}

export async function callOffPassword(trx: Db, sub: string, now: string): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ status: 'RESET_REQUIRED', temporary_until: null, updated_at: now })
    .where('sub', '=', sub)
    .where('status', '!=', 'UNCONFIRMED')
    .execute()
}

export async function setEnabled(trx: Db, sub: string, enabled: 0 | 1): Promise<void> {
  await trx.updateTable('identity_user').set({ enabled }).where('sub', '=', sub).execute()
}
