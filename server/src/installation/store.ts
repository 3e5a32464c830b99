import { type AnyDb, withTables } from '@marquee/platform/database/database'

const SLOT = 'this'
/** A row that is there until keys and image store have the id, too. */
const UNMARKED = 'unmarked'

export type InstallationTables = { installation: { slot: string; id: string } }

const tables = withTables<InstallationTables>

export async function readInstallationId(db: AnyDb): Promise<string | undefined> {
  const row = await tables(db).selectFrom('installation').select('id').where('slot', '=', SLOT).executeTakeFirst()
  return row?.id
}

/** Saves the id of the database, unless another process has already saved one. */
export async function addInstallationId(trx: AnyDb, id: string): Promise<void> {
  const { numInsertedOrUpdatedRows } = await insert(trx, SLOT, id)
  if (numInsertedOrUpdatedRows === 1n) await insert(trx, UNMARKED, id)
}

async function insert(trx: AnyDb, slot: string, id: string) {
  return await tables(trx)
    .insertInto('installation')
    .values({ slot, id })
    .onConflict((conflict) => conflict.column('slot').doNothing())
    .executeTakeFirstOrThrow()
}

/** Whether a process was cut short after the database got its id, and before all other parts had it. */
export async function isUnmarked(db: AnyDb): Promise<boolean> {
  const row = await tables(db).selectFrom('installation').select('id').where('slot', '=', UNMARKED).executeTakeFirst()
  return row !== undefined
}

export async function removeUnmarked(trx: AnyDb): Promise<void> {
  await tables(trx).deleteFrom('installation').where('slot', '=', UNMARKED).execute()
}
