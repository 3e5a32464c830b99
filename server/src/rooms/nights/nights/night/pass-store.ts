import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

import type { NightKey, NightTables } from './store.ts'

export type PassTables = {
  night_pass: {
    watchlist_id: string
    night_id: string
    id: string
    kind: 'guest' | 'screen'
    token_hash: string
    name: string | null
    created_by: string | null
    created_at: string
    expires_at: string
    ended_at: string | null
    claimed_by: string | null
    device_hash: string | null
    address_hash: string | null
    /** When a member removed the guest, whose device must not come back. */
    barred_at: string | null
  }
  night_claim: { user_id: string; watchlist_id: string; night_id: string; pass_id: string }
  night_code: { code: string; watchlist_id: string; night_id: string; expires_at: string }
}

export type PassRow = PassTables['night_pass']

const tables = withTables<PassTables & Pick<NightTables, 'night'>>

export async function insertPass(db: AnyDb, pass: PassRow): Promise<void> {
  await tables(db).insertInto('night_pass').values(pass).execute()
}

const COLUMNS = [
  'watchlist_id',
  'night_id',
  'id',
  'kind',
  'token_hash',
  'name',
  'created_by',
  'created_at',
  'expires_at',
  'ended_at',
  'claimed_by',
  'device_hash',
  'address_hash',
  'barred_at',
] as const satisfies (keyof PassRow)[]

const passBy = prepared<NightKey & { by: string }, PassRow, { column: 'id' | 'token_hash' }>((db, value, { column }) =>
  tables(db)
    .selectFrom('night_pass')
    .select(COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .where(column, '=', value('by')),
)

export async function findPass(
  db: AnyDb,
  key: NightKey,
  pass: { id: string } | { tokenHash: string },
): Promise<PassRow | undefined> {
  const [by, column] = 'id' in pass ? ([pass.id, 'id'] as const) : ([pass.tokenHash, 'token_hash'] as const)
  const [row] = await passBy(db, { ...key, by }, { column })
  return row
}

/** The passes of the screens that show a night, oldest first. */
export async function listScreenPasses(db: AnyDb, { watchlistId, id }: NightKey): Promise<PassRow[]> {
  return await tables(db)
    .selectFrom('night_pass')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('kind', '=', 'screen')
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The passes of guests who joined a night with its code, ended or not. */
export async function listJoined(
  db: AnyDb,
  { watchlistId, id }: NightKey,
): Promise<Pick<PassRow, 'device_hash' | 'address_hash' | 'barred_at' | 'ended_at'>[]> {
  return await tables(db)
    .selectFrom('night_pass')
    .select(['device_hash', 'address_hash', 'barred_at', 'ended_at'])
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('kind', '=', 'guest')
    .where('address_hash', 'is not', null)
    .execute()
}

/** Remembers that a member removed a guest. */
export async function barPass(db: AnyDb, { watchlistId, id }: NightKey, passId: string, at: string): Promise<void> {
  await tables(db)
    .updateTable('night_pass')
    .set({ barred_at: at })
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('id', '=', passId)
    .execute()
}

type People = readonly { userId: string; username: string }[]

/** A condition for the valid passes that these people made or claimed: of guests without a phone, and of screens. */
function isPassOf(db: AnyDb, people: People) {
  return sql<boolean>`ended_at is null and (${isOneOf(
    db,
    sql.ref('created_by'),
    people.map(({ username }) => username),
  )} or ${isOneOf(
    db,
    sql.ref('claimed_by'),
    people.map(({ userId }) => userId),
  )})`
}

/** The ids of the valid passes that these people made or claimed. */
export async function listPassesBy(db: AnyDb, watchlistId: string, people: People): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('night_pass')
    .select('id')
    .where('watchlist_id', '=', watchlistId)
    .where(isPassOf(db, people))
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes the passes void that former members made or claimed. */
export async function endPassesBy(db: AnyDb, watchlistId: string, people: People, at: string): Promise<void> {
  await tables(db)
    .updateTable('night_pass')
    .set({ ended_at: at })
    .where('watchlist_id', '=', watchlistId)
    .where(isPassOf(db, people))
    .execute()
}

/** Makes the tokens of one pass void. */
export async function endPass(db: AnyDb, { watchlistId, id }: NightKey, passId: string, at: string): Promise<void> {
  await tables(db)
    .updateTable('night_pass')
    .set({ ended_at: at })
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('id', '=', passId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Sets when all passes of a night expire. From where guests joined is forgotten. */
export async function expirePasses(db: AnyDb, { watchlistId, id }: NightKey, expires_at: string): Promise<void> {
  await tables(db)
    .updateTable('night_pass')
    .set({ expires_at, device_hash: null, address_hash: null })
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .execute()
}

/** Gives a code to a night; false if it belongs to another one that is open. */
export async function saveCode(db: AnyDb, row: PassTables['night_code'], now: string): Promise<boolean> {
  const { watchlist_id, night_id, expires_at } = row
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto('night_code')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet({ watchlist_id, night_id, expires_at })
        .where('night_code.expires_at', '<=', now),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await tables(db)
    .updateTable('night')
    .set({ join_code: row.code })
    .where('watchlist_id', '=', watchlist_id)
    .where('id', '=', night_id)
    .execute()
  return true
}

export async function findByCode(db: AnyDb, code: string, now: string): Promise<NightKey | undefined> {
  return await tables(db)
    .selectFrom('night_code')
    .select(['watchlist_id as watchlistId', 'night_id as id'])
    .where('code', '=', code)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteCode(db: AnyDb, code: string): Promise<void> {
  await tables(db).deleteFrom('night_code').where('code', '=', code).execute()
}

/** Records which user claimed a pass. */
export async function saveClaim(
  db: AnyDb,
  claim: PassTables['night_claim'],
  { username }: { username: string },
): Promise<void> {
  await tables(db)
    .updateTable('night_pass')
    .set({ claimed_by: claim.user_id, name: username })
    .where('watchlist_id', '=', claim.watchlist_id)
    .where('night_id', '=', claim.night_id)
    .where('id', '=', claim.pass_id)
    .execute()
  await tables(db)
    .insertInto('night_claim')
    .values(claim)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The passes that a user claimed. */
export async function listClaims(db: AnyDb, userId: string): Promise<PassTables['night_claim'][]> {
  return await tables(db).selectFrom('night_claim').selectAll().where('user_id', '=', userId).execute()
}

/** The valid passes of a night that a user claimed. */
export async function listClaimed(db: AnyDb, { watchlistId, id }: NightKey, userId: string): Promise<PassRow[]> {
  return await tables(db)
    .selectFrom('night_pass')
    .select(COLUMNS)
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('claimed_by', '=', userId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Deletes a pass that a user claimed. */
export async function deleteClaim(
  db: AnyDb,
  { user_id, watchlist_id, night_id, pass_id }: PassTables['night_claim'],
): Promise<void> {
  await tables(db)
    .deleteFrom('night_claim')
    .where('user_id', '=', user_id)
    .where('watchlist_id', '=', watchlist_id)
    .where('night_id', '=', night_id)
    .where('pass_id', '=', pass_id)
    .execute()
  await tables(db)
    .deleteFrom('night_pass')
    .where('watchlist_id', '=', watchlist_id)
    .where('night_id', '=', night_id)
    .where('id', '=', pass_id)
    .execute()
}
