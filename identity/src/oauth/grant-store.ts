import type { Db, OAuthGrantRow } from '../tables.ts'

/** Keeps what a session of another tool may be told. */
export async function addGrant(trx: Db, grant: OAuthGrantRow): Promise<void> {
  await trx.insertInto('identity_oauth_grant').values(grant).execute()
}

export async function findGrant(db: Db, sub: string, originJti: string): Promise<OAuthGrantRow | undefined> {
  return await db
    .selectFrom('identity_oauth_grant')
    .selectAll()
    .where('sub', '=', sub)
    .where('origin_jti', '=', originJti)
    .executeTakeFirst()
}
