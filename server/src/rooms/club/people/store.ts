import { sql } from 'kysely'

import type { Language } from '@marquee/contract/languages'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isInList, isOneOf, type TextList, textList } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

export type ProfileTables = {
  person: {
    user_id: string
    username: string
    current_watchlist_id: string | null
    avatar_hash: string | null
    /** Read by earlier versions. `notification_settings` replaces it. */
    night_mails: number
    language: Language | null
    /** A JSON array of ids. */
    services: string | null
  }
}

const tables = withTables<ProfileTables>

/** Creates the row of a user if there is none, and locks it, so that concurrent changes of one user run one by one. */
export async function savePerson(db: AnyDb, person: { userId: string; username: string }): Promise<void> {
  await tables(db)
    .insertInto('person')
    .values({
      user_id: person.userId,
      username: person.username,
      current_watchlist_id: null,
      avatar_hash: null,
      night_mails: 1,
      language: null,
    })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ username: person.username }))
    .execute()
}

/** The watchlist that a user chose last, even if they have left it since. */
export async function findCurrentWatchlistId(db: AnyDb, userId: string): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('person')
    .select('current_watchlist_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.current_watchlist_id ?? undefined
}

/** Clears the choice of these users, who are no longer members, if it is this watchlist. */
export async function clearCurrentWatchlistId(
  db: AnyDb,
  userIds: readonly string[],
  watchlistId: string,
): Promise<void> {
  await tables(db)
    .updateTable('person')
    .set({ current_watchlist_id: null })
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .where('current_watchlist_id', '=', watchlistId)
    .execute()
}

export async function saveCurrentWatchlistId(db: AnyDb, userId: string, watchlistId: string): Promise<void> {
  await tables(db)
    .updateTable('person')
    .set({ current_watchlist_id: watchlistId })
    .where('user_id', '=', userId)
    .execute()
}

/** Deletes the choices and the avatar of a user. Their cards and comments stay. */
export async function deletePerson(db: AnyDb, userId: string): Promise<void> {
  await tables(db).deleteFrom('person').where('user_id', '=', userId).execute()
}

/** The image of a user's avatar, and their language; undefined if the user has no row. */
export async function findPerson(
  db: AnyDb,
  userId: string,
): Promise<Pick<ProfileTables['person'], 'avatar_hash' | 'language' | 'services'> | undefined> {
  return await tables(db)
    .selectFrom('person')
    .select(['avatar_hash', 'language', 'services'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** The languages that these users have chosen, by user. Those who have chosen none are left out. */
export async function listLanguages(db: AnyDb, userIds: readonly string[]): Promise<ReadonlyMap<string, Language>> {
  const rows = await tables(db)
    .selectFrom('person')
    .select(['user_id', 'language'])
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .execute()
  return new Map(rows.flatMap(({ user_id: userId, language }) => (language === null ? [] : [[userId, language]])))
}

/** Does nothing if the user has no row. */
export async function saveLanguage(db: AnyDb, userId: string, language: Language | null): Promise<void> {
  await tables(db).updateTable('person').set({ language }).where('user_id', '=', userId).execute()
}

/** The streaming services that these users have chosen, by user. Those who have chosen none are left out. */
const servicesOf = prepared<{ userIds: TextList }, { user_id: string; services: string | null }>((db, value) =>
  tables(db)
    .selectFrom('person')
    .select(['user_id', 'services'])
    .where(isInList(db, sql.ref('user_id'), value('userIds'))),
)

export async function listServices(
  db: AnyDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await servicesOf(db, { userIds: textList(db, userIds) })
  return new Map(
    rows.flatMap(({ user_id: userId, services }) => (services === null ? [] : [[userId, readServices(services)]])),
  )
}

export function readServices(services: string): number[] {
  return JSON.parse(services) as number[]
}

/** Does nothing if the user has no row. */
export async function saveServices(db: AnyDb, userId: string, services: readonly number[]): Promise<void> {
  await tables(db)
    .updateTable('person')
    .set({ services: services.length === 0 ? null : JSON.stringify(services) })
    .where('user_id', '=', userId)
    .execute()
}

/** The images of these users' avatars, by user. Those without one are left out. */
export async function listAvatars(db: AnyDb, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tables(db)
    .selectFrom('person')
    .select(['user_id', 'avatar_hash'])
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .execute()
  return new Map(rows.flatMap(({ user_id: userId, avatar_hash: hash }) => (hash === null ? [] : [[userId, hash]])))
}

/** Does nothing if the user has no row. */
export async function saveAvatar(db: AnyDb, userId: string, hash: string | null): Promise<void> {
  await tables(db).updateTable('person').set({ avatar_hash: hash }).where('user_id', '=', userId).execute()
}
