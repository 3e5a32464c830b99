import { sql } from 'kysely'

import type { TokenScope } from '@marquee/contract/entities/personal-token'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { preparedFirst } from '@marquee/platform/database/prepared'

export type PersonalTokenTables = {
  personal_token: {
    user_id: string
    id: string
    token_hash: string
    username: string
    name: string
    scope: TokenScope
    created_at: string
    used_at: string | null
    expires_at: string | null
  }
  personal_token_key: { token_hash: string; user_id: string; token_id: string }
}

export type TokenRow = PersonalTokenTables['personal_token']
type TokenKey = { userId: string; tokenId: string }

const tables = withTables<PersonalTokenTables>

/** Adds a token, by user and by hash. */
export async function insertToken(db: AnyDb, token: TokenRow): Promise<void> {
  const { token_hash, user_id, id: token_id } = token
  await tables(db).insertInto('personal_token').values(token).execute()
  await tables(db).insertInto('personal_token_key').values({ token_hash, user_id, token_id }).execute()
}

/** The tokens of a user, newest first. */
export async function listTokens(db: AnyDb, userId: string): Promise<TokenRow[]> {
  return await tables(db)
    .selectFrom('personal_token')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

const keyOf = preparedFirst<{ hash: string }, TokenKey>((db, value) =>
  tables(db)
    .selectFrom('personal_token_key')
    .select(['user_id as userId', 'token_id as tokenId'])
    .where('token_hash', '=', value('hash')),
)

const tokenOf = preparedFirst<TokenKey, TokenRow>((db, value) =>
  tables(db)
    .selectFrom('personal_token')
    .select(['user_id', 'id', 'token_hash', 'username', 'name', 'scope', 'created_at', 'used_at', 'expires_at'])
    .where('user_id', '=', value('userId'))
    .where('id', '=', value('tokenId')),
)

export async function findByHash(db: AnyDb, hash: string): Promise<TokenRow | undefined> {
  const key = await keyOf(db, { hash })
  return key && (await tokenOf(db, key))
}

/** Notes a use, unless another one was noted at `since` or later. */
export async function noteUse(
  db: AnyDb,
  { user_id, id }: Pick<TokenRow, 'user_id' | 'id'>,
  { now, since }: { now: string; since: string },
): Promise<void> {
  await tables(db)
    .updateTable('personal_token')
    .set({ used_at: now })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('used_at', 'is', null), eb('used_at', '<', since)]))
    .execute()
}

/** Deletes the tokens of a user: one, those that expired before a time, or all. Returns how many. */
export async function deleteTokens(
  db: AnyDb,
  userId: string,
  { tokenId, expiredBefore }: { tokenId?: string; expiredBefore?: string } = {},
): Promise<number> {
  const deleted = await tables(db)
    .deleteFrom('personal_token')
    .where('user_id', '=', userId)
    .$if(tokenId !== undefined, (query) => query.where('id', '=', tokenId ?? ''))
    .$if(expiredBefore !== undefined, (query) => query.where('expires_at', '<', expiredBefore ?? ''))
    .returning('token_hash')
    .execute()
  const hashes = deleted.map((row) => row.token_hash)
  if (hashes.length > 0) {
    await tables(db)
      .deleteFrom('personal_token_key')
      .where(isOneOf(db, sql.ref('token_hash'), hashes))
      .execute()
  }
  return deleted.length
}
