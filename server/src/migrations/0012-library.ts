import { sql } from 'kysely'

import type { Movie } from '@marquee/contract/entities/movie'
import { keyText } from '@marquee/platform/database/columns'
import { type AnyDb, type DialectName, dialectOf, withTables } from '@marquee/platform/database/database'
import { rowsOfJson } from '@marquee/platform/database/json'
import type { Filled, Migration } from '@marquee/platform/database/migrate'

import {
  type LibraryKeys,
  libraryKeys,
  UNKNOWN_RUNTIME,
  UNKNOWN_YEAR,
} from '../rooms/movies/cards/card/library-keys.ts'

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
  changes: ['card'],
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
  },
  backfill: fillKeys,
  indexes: Object.entries(ORDERS).map(([name, order]) => ({ name: `card_library_${name}`, on: indexedBy(order) })),
  // `card_library_changed` begins with the same columns.
  removedIndexes: ['card_feed'],
}

function indexedBy(order: string): Record<DialectName, string> {
  const direction = order.endsWith(' desc') ? 'desc' : 'asc'
  const others = FILTERED.filter((column) => column !== order.split(' ')[0]).join(', ')
  const columns = `watchlist_id, ${order}, id ${direction}`
  return {
    sqlite: `card (${columns}, ${others}) where status <> 'SUGGESTED'`,
    postgres: `card (${columns}) include (${others}) where status <> 'SUGGESTED'`,
  }
}

type OldCard = { watchlist_id: string; id: string; title: string; movie: string | null }

/** Locks the cards, so that no one changes them between their reading and the writing of their keys. */
async function fillKeys(db: AnyDb, place: string | undefined): Promise<Filled> {
  const [watchlistId, id] = place === undefined ? ['', ''] : (JSON.parse(place) as [string, string])
  const lock = dialectOf(db) === 'sqlite' ? sql`` : sql`for no key update`
  const { rows } = await sql<OldCard>`select watchlist_id, id, title, movie from card
    where (watchlist_id, id) > (${watchlistId}, ${id}) order by watchlist_id, id limit ${BATCH} ${lock}`.execute(
    withTables<unknown>(db),
  )
  const last = rows.at(-1)
  if (last === undefined) return { rows: 0, place: undefined }
  await saveKeys(db, JSON.stringify(rows.map(keysOf)))
  return { rows: rows.length, place: JSON.stringify([last.watchlist_id, last.id]) }
}

type KeysOfCard = LibraryKeys & { watchlist_id: string; id: string }

const MADE = [
  'watchlist_id',
  'id',
  'folded_title',
  'folded_people',
  'folded_genres',
  'year',
  'runtime_minutes',
] as const

function keysOf({ watchlist_id, id, title, movie }: OldCard): KeysOfCard {
  return { watchlist_id, id, ...libraryKeys(title, movie === null ? null : (JSON.parse(movie) as Movie)) }
}

async function saveKeys(db: AnyDb, json: string): Promise<void> {
  // One value in place of thousands: making and parsing the statement would take longer than the work.
  await sql`with made as (${rowsOfJson<KeysOfCard>(db, { table: 'card', columns: MADE, json })})
    update card set folded_title = made.folded_title, folded_people = made.folded_people, folded_genres = made.folded_genres,
      year = made.year, runtime_minutes = made.runtime_minutes
    from made where card.watchlist_id = made.watchlist_id and card.id = made.id`.execute(withTables<unknown>(db))
}
