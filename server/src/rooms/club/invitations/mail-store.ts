import { type AnyDb, withTables } from '@marquee/platform/database/database'

/** A mail that invited a user to a watchlist; `at` is when it was sent or is due, in milliseconds since 1970. */
export type InvitationMail = { watchlistId: string; mailId: string; at: number }

export type InvitationMailTables = { invitation_mail: { user_id: string; recent: string; version: number } }

const tables = withTables<InvitationMailTables>

/** The latest mails that invited a user, oldest first. The row is locked until the transaction ends. */
export async function holdInvitationMails(trx: AnyDb, userId: string): Promise<InvitationMail[]> {
  const row = await tables(trx)
    .insertInto('invitation_mail')
    .values({ user_id: userId, recent: '[]', version: 1 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({ version: eb('invitation_mail.version', '+', 1) })),
    )
    .returning('recent')
    .executeTakeFirstOrThrow()
  return JSON.parse(row.recent) as InvitationMail[]
}

export async function findInvitationMails(db: AnyDb, userId: string): Promise<InvitationMail[]> {
  const row = await tables(db)
    .selectFrom('invitation_mail')
    .select('recent')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return JSON.parse(row?.recent ?? '[]') as InvitationMail[]
}

export async function saveInvitationMails(
  trx: AnyDb,
  userId: string,
  recent: readonly InvitationMail[],
): Promise<void> {
  await tables(trx)
    .updateTable('invitation_mail')
    .set({ recent: JSON.stringify(recent) })
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteInvitationMails(trx: AnyDb, userId: string): Promise<void> {
  await tables(trx).deleteFrom('invitation_mail').where('user_id', '=', userId).execute()
}

export type InvitedRow = {
  readonly userId: string
  readonly version: number
  readonly mails: readonly InvitationMail[]
}

/** Some rows, in the order of their users. */
export async function listInvitationMails(
  db: AnyDb,
  { after, limit }: { after: string; limit: number },
): Promise<InvitedRow[]> {
  const rows = await tables(db)
    .selectFrom('invitation_mail')
    .selectAll()
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    version: row.version,
    mails: JSON.parse(row.recent) as InvitationMail[],
  }))
}

/** Deletes a row unless another mail has been counted since it was read. */
export async function deleteUnchanged(trx: AnyDb, { userId, version }: InvitedRow): Promise<void> {
  await tables(trx).deleteFrom('invitation_mail').where('user_id', '=', userId).where('version', '=', version).execute()
}
