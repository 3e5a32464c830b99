import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

export type AvailabilityTables = {
  /** What was answered about a movie in a country. `offers` is JSON. */
  availability: { country: string; tmdb_id: string; offers: string; asked_at: string }
  /** The services of a country, as JSON. */
  service_list: { country: string; services: string; asked_at: string }
}

export type AvailabilityRow = AvailabilityTables['availability']

const tables = withTables<AvailabilityTables>

export async function listAnswers(db: AnyDb, country: string, tmdbIds: readonly string[]): Promise<AvailabilityRow[]> {
  return await tables(db)
    .selectFrom('availability')
    .selectAll()
    .where('country', '=', country)
    .where(isOneOf(db, sql.ref('tmdb_id'), tmdbIds))
    .execute()
}

export async function saveAnswers(db: AnyDb, rows: readonly AvailabilityRow[]): Promise<void> {
  await tables(db)
    .insertInto('availability')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['country', 'tmdb_id'])
        .doUpdateSet((eb) => ({ offers: eb.ref('excluded.offers'), asked_at: eb.ref('excluded.asked_at') })),
    )
    .execute()
}

/** Removes what was asked before a time. */
export async function deleteAnswers(db: AnyDb, before: string): Promise<void> {
  await tables(db).deleteFrom('availability').where('asked_at', '<', before).execute()
}

/** When the oldest of the newest `count` answers was asked for; undefined if there are fewer. */
export async function findAge(db: AnyDb, count: number): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('availability')
    .select('asked_at')
    // Of all countries, by the index.
    .where('asked_at', '>', '')
    .orderBy('asked_at', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.asked_at
}

export async function findServiceList(
  db: AnyDb,
  country: string,
): Promise<AvailabilityTables['service_list'] | undefined> {
  return await tables(db).selectFrom('service_list').selectAll().where('country', '=', country).executeTakeFirst()
}

export async function saveServiceList(db: AnyDb, row: AvailabilityTables['service_list']): Promise<void> {
  const { country: _country, ...answer } = row
  await tables(db)
    .insertInto('service_list')
    .values(row)
    .onConflict((conflict) => conflict.column('country').doUpdateSet(answer))
    .execute()
}
