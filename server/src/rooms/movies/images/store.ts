import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

export type HoldTables = { image_hold: { hash: string; held_until: string; is_going: number } }

/** The columns of other tables that refer to images. */
type Referring = {
  card: { image_hash: string | null; copy_hash: string | null }
  watchlist: { image_hash: string | null }
  person: { avatar_hash: string | null }
}

const tables = withTables<HoldTables & Referring>

/** The columns that refer to images, of the images in use. */
export async function findUsed(db: AnyDb, hashes: readonly string[]): Promise<Set<string>> {
  const isThere = isOneOf(db, sql.ref('image_hash'), hashes)
  const isAvatar = isOneOf(db, sql.ref('avatar_hash'), hashes)
  const isCopy = isOneOf(db, sql.ref('copy_hash'), hashes)
  const cards = tables(db).selectFrom('card').select('image_hash as hash').distinct().where(isThere)
  const copies = tables(db).selectFrom('card').select('copy_hash as hash').distinct().where(isCopy)
  const watchlists = tables(db).selectFrom('watchlist').select('image_hash as hash').distinct().where(isThere)
  const people = tables(db).selectFrom('person').select('avatar_hash as hash').distinct().where(isAvatar)
  const rows = [
    ...(await cards.execute()),
    ...(await copies.execute()),
    ...(await watchlists.execute()),
    ...(await people.execute()),
  ]
  return new Set(rows.flatMap(({ hash }) => (hash === null ? [] : [hash])))
}

/** Holds an image until that time, so that no sweep removes it; false if it is being removed. */
export async function holdImage(db: AnyDb, hash: string, until: string): Promise<boolean> {
  const row = await tables(db)
    .insertInto('image_hold')
    .values({ hash, held_until: until, is_going: 0 })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ held_until: until }).where('image_hold.is_going', '=', 0),
    )
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Claims an image for removal; false if an upload holds it, or another sweep removes it. */
export async function claimImage(
  db: AnyDb,
  hash: string,
  { now, until }: { now: string; until: string },
): Promise<boolean> {
  const row = await tables(db)
    .insertInto('image_hold')
    .values({ hash, held_until: until, is_going: 1 })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ held_until: until, is_going: 1 }).where('image_hold.held_until', '<', now),
    )
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives up a claim, unless another process took it over. */
export async function releaseClaim(db: AnyDb, hash: string, until: string): Promise<void> {
  await tables(db)
    .deleteFrom('image_hold')
    .where('hash', '=', hash)
    .where('held_until', '=', until)
    .where('is_going', '=', 1)
    .execute()
}

/** Images whose removal a process began and did not finish in time. */
export async function listForsakenClaims(db: AnyDb, now: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('image_hold')
    .select('hash')
    .where('is_going', '=', 1)
    .where('held_until', '<', now)
    .execute()
  return rows.map((row) => row.hash)
}

export async function dropExpiredHolds(db: AnyDb, now: string): Promise<void> {
  await tables(db).deleteFrom('image_hold').where('is_going', '=', 0).where('held_until', '<', now).execute()
}
