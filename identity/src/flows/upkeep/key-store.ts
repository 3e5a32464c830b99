import { withTables } from '@marquee/platform/database/database'

import type { SealedColumn } from '../../base/keys/keyring.ts'
import type { Db, IdentityTables } from '../../base/tables.ts'

/** Where encrypted values are. `names` are the columns that name a row. */
export type SealedPlace = { readonly table: string; readonly column: string; readonly names: readonly string[] }

/** A row of any of these tables. */
export type SealedRow = Readonly<Record<string, string | Uint8Array>>

const tables = withTables<Record<string, SealedRow>>

/**
 * Rows sealed under another master key than the given one, as two ranges of the index on `key_id`, so that the search does
 * not read current rows.
 */
export async function listStale(
  db: Db,
  { table, column, names }: SealedPlace,
  { keyId, limit }: { keyId: string; limit: number },
): Promise<SealedRow[]> {
  const rows = tables(db)
    .selectFrom(table)
    .select([...names, column, 'key_id'])
  const [before, after] = [rows.where('key_id', '<', keyId), rows.where('key_id', '>', keyId)]
  return await before.unionAll(after).limit(limit).execute()
}

/** Replaces a value, unless it has changed in the meantime. */
export async function replaceBox(
  trx: Db,
  { table, column, names }: SealedPlace,
  row: SealedRow,
  { box, keyId }: SealedColumn,
): Promise<void> {
  await tables(trx)
    .updateTable(table)
    .set({ [column]: box, key_id: keyId })
    .where((is) => is.and([...names, column].map((name) => is(name, '=', row[name] ?? ''))))
    .execute()
}

export type LastingKeyRow = IdentityTables['identity_lasting_key']

/** Stores a key unless there is one for that purpose: of two processes the first one wins. */
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
