import type { Db } from '../tables.ts'

/** Tells the other processes, with the commit, which sessions ended. */
export async function addEndedSessions(trx: Db, originJtis: readonly string[], now: string): Promise<void> {
  if (originJtis.length === 0) return
  await trx
    .insertInto('identity_ended_session')
    .values(originJtis.map((originJti) => ({ origin_jti: originJti, ended_at: now })))
    .onConflict((conflict) => conflict.column('origin_jti').doNothing())
    .execute()
}

export async function listEndedSessions(db: Db, since: string): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_ended_session')
    .select('origin_jti')
    .where('ended_at', '>=', since)
    .execute()
  return rows.map((row) => row.origin_jti)
}
