import type { Db, OAuthCodeRow } from '../tables.ts'

type CodeKey = Pick<OAuthCodeRow, 'sub' | 'code_hash'>

export async function addCode(trx: Db, code: OAuthCodeRow): Promise<void> {
  await trx.insertInto('identity_oauth_code').values(code).execute()
}

export async function findCode(db: Db, key: CodeKey): Promise<OAuthCodeRow | undefined> {
  return await db
    .selectFrom('identity_oauth_code')
    .selectAll()
    .where('sub', '=', key.sub)
    .where('code_hash', '=', key.code_hash)
    .executeTakeFirst()
}

/** Uses a code up for the session it becomes; false when somebody was faster. */
export async function useCode(trx: Db, key: CodeKey, originJti: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_oauth_code')
    .set({ origin_jti: originJti })
    .where('sub', '=', key.sub)
    .where('code_hash', '=', key.code_hash)
    .where('origin_jti', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
