import { type AnyDb, withTables } from '@marquee/platform/database/database'

type AvatarTables = { person: { user_id: string; avatar_hash: string | null } }

const tables = withTables<AvatarTables>

/** The image of a person's avatar; undefined without one. */
export async function findAvatar(db: AnyDb, userId: string): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('person')
    .select('avatar_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.avatar_hash ?? undefined
}

/** For a person who has a row; without one nothing happens. */
export async function saveAvatar(db: AnyDb, userId: string, hash: string | null): Promise<void> {
  await tables(db).updateTable('person').set({ avatar_hash: hash }).where('user_id', '=', userId).execute()
}
