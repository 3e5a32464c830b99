import type { Db, IdentityTables } from '../../base/tables.ts'

export type SigningKeyRow = IdentityTables['identity_signing_key']

/** Stores a key unless that generation exists: the first one wins. */
export async function addSigningKey(trx: Db, key: SigningKeyRow): Promise<void> {
  await trx
    .insertInto('identity_signing_key')
    .values(key)
    .onConflict((conflict) => conflict.columns(['token_use', 'generation']).doNothing())
    .execute()
}

/** All keys, the newest of each use first. */
export async function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return await db.selectFrom('identity_signing_key').selectAll().orderBy('generation', 'desc').execute()
}

export async function removeSigningKey(trx: Db, kid: string): Promise<void> {
  await trx.deleteFrom('identity_signing_key').where('kid', '=', kid).execute()
}
