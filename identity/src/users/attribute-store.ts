import type { Db } from '../tables.ts'

/** Notes an address that is to take the place of the proven one once it is proven; null forgets it. */
export async function setPendingEmail(trx: Db, sub: string, email: string | null): Promise<void> {
  await trx.updateTable('identity_user').set({ pending_email: email }).where('sub', '=', sub).execute()
}

export async function setPendingPhone(trx: Db, sub: string, phoneNumber: string | null): Promise<void> {
  await trx.updateTable('identity_user').set({ pending_phone: phoneNumber }).where('sub', '=', sub).execute()
}

/** The address is proven: it is the user's, and nothing is pending. */
export async function setProvenEmail(
  trx: Db,
  sub: string,
  { email, emailKey, now }: { email: string; emailKey: string; now: string },
): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ email, email_key: emailKey, email_verified: 1, pending_email: null, updated_at: now })
    .where('sub', '=', sub)
    .execute()
}

/** The number is proven, or gone with null; nothing is pending. */
export async function setPhone(trx: Db, sub: string, phoneNumber: string | null, now: string): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ phone_number: phoneNumber, pending_phone: null, updated_at: now })
    .where('sub', '=', sub)
    .execute()
}
