import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf, jsonArray, jsonColumns } from '@marquee/platform/database/json'
import { given, prepared, preparedFirst } from '@marquee/platform/database/prepared'

import type { PassTables } from '../night/pass-store.ts'
import type { NightTables } from '../night/store.ts'

export type FilmTables = {
  night_film: { watchlist_id: string; card_id: string; night_id: string; accepted_at: string }
  /** `user_id` is the id of the user, or of the guest's pass. */
  night_viewer: { watchlist_id: string; card_id: string; user_id: string; username: string }
}

export type FilmKey = { readonly watchlistId: string; readonly cardId: string }
/** `viewers` is a JSON array of `{username}`, sorted. */
export type FilmRow = FilmTables['night_film'] & { viewers: string }

const tables = withTables<FilmTables & Pick<NightTables, 'night' | 'night_presence'> & Pick<PassTables, 'night_pass'>>

/** The open night, once for each member who is there, or once if none is. */
export const findOpenNight = prepared<
  { watchlistId: string; now: string },
  { nightId: string; userId: string | null; username: string | null }
>((db, value) =>
  tables(db)
    .selectFrom('night')
    .leftJoin('night_presence as present', (join) =>
      join
        .onRef('present.watchlist_id', '=', 'night.watchlist_id')
        .onRef('present.night_id', '=', 'night.id')
        .on('present.left_at', 'is', null),
    )
    .select(['night.id as nightId', 'present.user_id as userId', 'present.username'])
    .where('night.watchlist_id', '=', value('watchlistId'))
    .where(sql<boolean>`night.state = 'open'`)
    .where('night.current_until', '>', value('now')),
)

/** The guests of the open night. */
export const findOpenGuests = prepared<
  { watchlistId: string; now: string },
  { userId: string; username: string | null }
>((db, value) =>
  tables(db)
    .selectFrom('night')
    .innerJoin('night_pass as guest', (join) =>
      join.onRef('guest.watchlist_id', '=', 'night.watchlist_id').onRef('guest.night_id', '=', 'night.id'),
    )
    .select(['guest.id as userId', 'guest.name as username'])
    .where('night.watchlist_id', '=', value('watchlistId'))
    .where(sql<boolean>`night.state = 'open'`)
    .where('night.current_until', '>', value('now'))
    .where(sql<boolean>`guest.kind = 'guest'`)
    .where('guest.ended_at', 'is', null),
)

export const insertFilm = prepared<FilmTables['night_film'], unknown>((db, value) =>
  tables(db)
    .insertInto('night_film')
    .values(given(['watchlist_id', 'card_id', 'night_id', 'accepted_at'], value)),
)

export const insertViewer = prepared<FilmTables['night_viewer'], unknown>((db, value) =>
  tables(db)
    .insertInto('night_viewer')
    .values(given(['watchlist_id', 'card_id', 'user_id', 'username'], value)),
)

/** Deletes a film with its viewers. */
export const deleteFilm = prepared<FilmKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('night_film')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId')),
)

export const deleteViewer = prepared<FilmKey & { userId: string }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('night_viewer')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('user_id', '=', value('userId')),
)

/** Replaces a guest by a user among the viewers of the films of a night. Returns the ids of the cards. */
export async function renameViewer(
  db: AnyDb,
  { watchlistId, nightId, guestId }: { watchlistId: string; nightId: string; guestId: string },
  { userId, username }: { userId: string; username: string },
): Promise<string[]> {
  const rows = await tables(db)
    .deleteFrom('night_viewer')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', guestId)
    .where('card_id', 'in', (eb) =>
      eb
        .selectFrom('night_film')
        .select('card_id')
        .where('watchlist_id', '=', watchlistId)
        .where('night_id', '=', nightId),
    )
    .returning('card_id')
    .execute()
  if (rows.length === 0) return []
  await tables(db)
    .insertInto('night_viewer')
    .values(rows.map(({ card_id }) => ({ watchlist_id: watchlistId, card_id, user_id: userId, username })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return rows.map(({ card_id: cardId }) => cardId)
}

function filmsWithViewers(db: AnyDb) {
  const viewers = jsonArray(db, jsonColumns<FilmTables['night_viewer']>('v', { username: 'username' }), {
    orderBy: sql`v.username`,
    from: sql`from night_viewer as v where v.watchlist_id = night_film.watchlist_id and v.card_id = night_film.card_id`,
  })
  return tables(db).selectFrom('night_film').selectAll('night_film').select(viewers.as('viewers'))
}

export const filmOfCard = preparedFirst<FilmKey, FilmRow>((db, value) =>
  filmsWithViewers(db)
    .where('night_film.watchlist_id', '=', value('watchlistId'))
    .where('night_film.card_id', '=', value('cardId')),
)

export async function listFilmsOf(db: AnyDb, watchlistId: string, cardIds: readonly string[]): Promise<FilmRow[]> {
  return await filmsWithViewers(db)
    .where('night_film.watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('night_film.card_id'), cardIds))
    .execute()
}

/** The films of the latest nights, newest first. */
export async function listLatestFilms(db: AnyDb, watchlistId: string, limit: number): Promise<FilmRow[]> {
  return await filmsWithViewers(db)
    .where('night_film.watchlist_id', '=', watchlistId)
    .orderBy('night_film.accepted_at', 'desc')
    .limit(limit)
    .execute()
}
