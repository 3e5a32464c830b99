import { type AnyDb, withTables } from '@marquee/platform/database/database'

const SLOT = 'this'

export type InstallationTables = { installation: { slot: string; id: string } }

const tables = withTables<InstallationTables>

export async function readInstallationId(db: AnyDb): Promise<string | undefined> {
  const row = await tables(db).selectFrom('installation').select('id').where('slot', '=', SLOT).executeTakeFirst()
  return row?.id
}

/** Saves the id of the database, unless another process has already saved one. */
export async function addInstallationId(trx: AnyDb, id: string): Promise<void> {
  await tables(trx)
    .insertInto('installation')
    .values({ slot: SLOT, id })
    .onConflict((conflict) => conflict.column('slot').doNothing())
    .execute()
}
