import { type AnyDb, withTables } from '@marquee/platform/database/database'

import type { NightKey } from '../night/store.ts'

export type ScreenTables = {
  screen_pairing: {
    code: string
    secret_hash: string
    expires_at: string
    watchlist_id: string | null
    night_id: string | null
    pass_id: string | null
  }
}

type PairingRow = ScreenTables['screen_pairing']

const tables = withTables<ScreenTables>

/** Gives a code to a screen; false if another one has it. */
export async function insertPairing(
  db: AnyDb,
  row: Pick<PairingRow, 'code' | 'secret_hash' | 'expires_at'>,
  now: string,
): Promise<boolean> {
  const pairing = { ...row, watchlist_id: null, night_id: null, pass_id: null }
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto('screen_pairing')
    .values(pairing)
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet(pairing).where('screen_pairing.expires_at', '<=', now),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findPairing(db: AnyDb, code: string, now: string): Promise<PairingRow | undefined> {
  return await tables(db)
    .selectFrom('screen_pairing')
    .selectAll()
    .where('code', '=', code)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Gives a waiting screen its night, and lets it ask for it until `expires_at`; false if it has one. */
export async function savePaired(
  db: AnyDb,
  code: string,
  { watchlistId, id }: NightKey,
  { pass_id, expires_at }: { pass_id: string; expires_at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('screen_pairing')
    .set({ watchlist_id: watchlistId, night_id: id, pass_id, expires_at })
    .where('code', '=', code)
    .where('pass_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteExpiredPairings(db: AnyDb, now: string): Promise<void> {
  await tables(db).deleteFrom('screen_pairing').where('expires_at', '<=', now).execute()
}
