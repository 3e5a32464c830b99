import { type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import type { Movie } from '@marquee/contract/entities/movie'
import { keyText } from '@marquee/platform/database/columns'
import { type AnyDb, dialectOf } from '@marquee/platform/database/database'

import { libraryKeys, UNKNOWN_RUNTIME, UNKNOWN_YEAR } from '../modules/cards/library-keys.ts'

const BATCH = 500
const ORDERS = {
  changed: 'status_changed_at desc',
  title: 'folded_title',
  year: 'year desc',
  runtime: 'runtime_minutes',
}
const FILTERED = [
  'status',
  'creator_username',
  'folded_title',
  'folded_people',
  'folded_genres',
  'year',
  'runtime_minutes',
]

/**
 * What the library searches, filters and sorts by, made of title and movie. Each order has an index that also has all
 * filtered columns, so a search never reads the cards that it leaves out.
 */
export const library: Migration = {
  up: async (db: AnyDb) => {
    const text = keyText(db)
    for (const name of ['folded_title', 'folded_people', 'folded_genres']) {
      await db.schema
        .alterTable('card')
        .addColumn(name, text, (column) => column.notNull().defaultTo(''))
        .execute()
    }
    for (const [name, unknown] of [
      ['year', UNKNOWN_YEAR],
      ['runtime_minutes', UNKNOWN_RUNTIME],
    ] as const) {
      await db.schema
        .alterTable('card')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(unknown))
        .execute()
    }
    await fillKeys(db)
    for (const [name, order] of Object.entries(ORDERS)) await createIndex(db, name, order)
    // `card_library_changed` begins with the same columns.
    await db.schema.dropIndex('card_feed').execute()
  },
}

async function createIndex(db: AnyDb, name: string, order: string): Promise<void> {
  const direction = order.endsWith(' desc') ? 'desc' : 'asc'
  const others = sql.join(FILTERED.filter((column) => column !== order.split(' ')[0]).map((column) => sql.ref(column)))
  const columns = sql`watchlist_id, ${sql.raw(order)}, id ${sql.raw(direction)}`
  const all = dialectOf(db) === 'sqlite' ? sql`(${columns}, ${others})` : sql`(${columns}) include (${others})`
  await sql`create index ${sql.ref(`card_library_${name}`)} on card ${all} where status <> 'SUGGESTED'`.execute(db)
}

type OldCard = { watchlist_id: string; id: string; title: string; movie: string | null }

async function fillKeys(db: AnyDb): Promise<void> {
  let place: Pick<OldCard, 'watchlist_id' | 'id'> = { watchlist_id: '', id: '' }
  for (;;) {
    const { rows } = await sql<OldCard>`select watchlist_id, id, title, movie from card
      where (watchlist_id, id) > (${place.watchlist_id}, ${place.id}) order by watchlist_id, id limit ${BATCH}`.execute(
      db,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    await saveKeys(db, rows.map(keysOf))
    place = last
  }
}

function keysOf({ watchlist_id: watchlistId, id, title, movie }: OldCard): RawBuilder<unknown> {
  const keys = libraryKeys(title, movie === null ? null : (JSON.parse(movie) as Movie))
  const texts = [watchlistId, id, keys.folded_title, keys.folded_people, keys.folded_genres].map((text) => sql`${text}`)
  return sql`(${sql.join([...texts, sql.lit(keys.year), sql.lit(keys.runtime_minutes)])})`
}

async function saveKeys(db: AnyDb, rows: readonly RawBuilder<unknown>[]): Promise<void> {
  await sql`with made (w, i, folded_title, folded_people, folded_genres, year, runtime_minutes) as (values ${sql.join(rows)})
    update card set folded_title = made.folded_title, folded_people = made.folded_people, folded_genres = made.folded_genres,
      year = made.year, runtime_minutes = made.runtime_minutes
    from made where card.watchlist_id = made.w and card.id = made.i`.execute(db)
}
