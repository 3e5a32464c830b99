import type { Db, IdentityTables } from '../../base/tables.ts'

export type LastingKeyRow = IdentityTables['identity_lasting_key']

/** Keeps a key unless one of that purpose is there already; of two processes the first one's counts for both. */
export async function addLastingKey(trx: Db, key: LastingKeyRow): Promise<void> {
  await trx
    .insertInto('identity_lasting_key')
    .values(key)
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}

export async function listLastingKeys(db: Db): Promise<LastingKeyRow[]> {
  return await db.selectFrom('identity_lasting_key').selectAll().execute()
}
