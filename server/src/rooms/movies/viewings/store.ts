import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { given, prepared } from '@marquee/platform/database/prepared'

export type ViewingRow = {
  watchlist_id: string
  card_id: string
  user_id: string
  username: string
  /** A date without time; null if the member did not say. */
  seen_on: string | null
  half_stars: number | null
  note: string | null
  changed_at: string
  /** The import that brought it, until the member changes it. */
  import_id: string | null
  /** The movie night that brought it, until the member changes it. */
  night_id: string | null
  /** The media server that brought it, until the member changes it. */
  server_id: string | null
}

/** What a mark was before an import rated it. It counts while the mark is of an import. Without a bringer, its member had made it. */
type RatedMark = Pick<
  ViewingRow,
  'watchlist_id' | 'card_id' | 'user_id' | 'import_id' | 'night_id' | 'server_id' | 'seen_on'
>

export type ViewingTables = { card_viewings: ViewingRow; rated_mark: RatedMark }

const tables = withTables<ViewingTables>

const KEY = ['watchlist_id', 'card_id', 'user_id'] as const
const BRINGERS = ['import_id', 'night_id', 'server_id'] as const
const PRIOR = [...BRINGERS, 'seen_on'] as const
const COLUMNS = [...KEY, 'username', 'seen_on', 'half_stars', 'note', 'changed_at', ...BRINGERS] as const

type CardKey = { watchlistId: string; cardId: string }
type MarkKey = CardKey & { userId: string }

/** The viewings of these cards, oldest change first. */
export async function listViewingsOf(
  db: AnyDb,
  watchlistId: string,
  cardIds: readonly string[],
): Promise<ViewingRow[]> {
  return await tables(db)
    .selectFrom('card_viewings')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .orderBy('changed_at')
    .orderBy('user_id')
    .execute()
}

/** The ids of the cards whose movie one of these users has seen. */
export async function listSeenBy(db: AnyDb, watchlistId: string, usernames: readonly string[]): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('card_viewings')
    .select('card_id')
    .distinct()
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('username'), usernames))
    .execute()
  return rows.map((row) => row.card_id)
}

const viewingsOfCard = prepared<CardKey, ViewingRow>((db, value) =>
  tables(db)
    .selectFrom('card_viewings')
    .select(COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .orderBy('changed_at')
    .orderBy('user_id'),
)

/** The viewings of one card, oldest change first. The last statement of a transaction. */
export const readViewings = viewingsOfCard.send

const savingRow = (isOnlyMark: boolean) =>
  prepared<ViewingRow, unknown>((db, value) =>
    tables(db)
      .insertInto('card_viewings')
      .values(given(COLUMNS, value))
      .onConflict((conflict) => {
        const changed = conflict.columns(KEY).doUpdateSet((eb) => ({
          username: eb.ref('excluded.username'),
          seen_on: eb.ref('excluded.seen_on'),
          half_stars: eb.ref('excluded.half_stars'),
          note: eb.ref('excluded.note'),
          changed_at: eb.ref('excluded.changed_at'),
          import_id: eb.ref('excluded.import_id'),
          night_id: eb.ref('excluded.night_id'),
          server_id: eb.ref('excluded.server_id'),
        }))
        if (!isOnlyMark) return changed
        return changed.where((eb) =>
          eb.or([eb('card_viewings.night_id', 'is not', null), eb('card_viewings.server_id', 'is not', null)]),
        )
      }),
  )

/** Saves a viewing in place of an earlier one of the same user. */
export const saveViewingRow = savingRow(false)

/** Saves a mark that says no more than "seen": what the user has said themselves stays. */
export const saveMarkRow = savingRow(true)

/** Makes a mark that an import has rated one that its member had made before, in place of a night or a media server. */
export const keepRated = prepared<MarkKey, unknown>((db, value) =>
  tables(db)
    .updateTable('rated_mark')
    .set({ night_id: null, server_id: null })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('user_id', '=', value('userId'))
    .where((is) => is.or([is('night_id', 'is not', null), is('server_id', 'is not', null)])),
)

/** Forgets what a mark was before an import rated it, because its member has changed it. */
export const forgetRated = prepared<MarkKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('rated_mark')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('user_id', '=', value('userId')),
)

/** Adds the viewing of a member at a night. An earlier one stays as it is. */
export const insertAtNight = prepared<
  Pick<ViewingRow, 'watchlist_id' | 'card_id' | 'user_id' | 'username' | 'changed_at' | 'night_id'>,
  unknown
>((db, value) =>
  tables(db)
    .insertInto('card_viewings')
    .values(given(['watchlist_id', 'card_id', 'user_id', 'username', 'changed_at', 'night_id'], value))
    .onConflict((conflict) => conflict.doNothing()),
)

/** Adds the viewing of a member who played the movie at a media server. An earlier one stays as it is. False if there is one. */
export async function insertFromServer(db: AnyDb, row: ViewingRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto('card_viewings')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Forgets that a night brought the viewings of a card that imports have rated since. */
export const forgetNight = prepared<CardKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('rated_mark')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('night_id', 'is not', null),
)

/** Deletes the viewings of a card that a night brought and that are unchanged since. */
export const deleteOfNight = prepared<CardKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('card_viewings')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('night_id', 'is not', null),
)

/** Gives the viewings of a card to another one that has none: all of them, or those of some users. */
export async function moveViewings(
  db: AnyDb,
  { watchlistId, from, to }: { watchlistId: string; from: string; to: string },
  userIds?: readonly string[],
): Promise<void> {
  await tables(db)
    .updateTable('card_viewings')
    .set({ card_id: to })
    .where('watchlist_id', '=', watchlistId)
    .where('card_id', '=', from)
    .$if(userIds !== undefined, (query) => query.where(isOneOf(db, sql.ref('user_id'), userIds ?? [])))
    .execute()
}

export const deleteViewingRow = prepared<MarkKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('card_viewings')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('user_id', '=', value('userId')),
)

/**
 * Adds the viewings of one import to a watchlist. Of an earlier one, what the same import left open is filled in. One that another
 * import, a night or a media server brought, and that has no rating, gets the one of this import, and is of this import until an
 * undo.
 */
export async function insertBrought(db: AnyDb, rows: readonly ViewingRow[]): Promise<void> {
  if (rows.length === 0) return
  await noteRated(db, rows)
  await tables(db)
    .insertInto('card_viewings')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((eb) => ({
          seen_on: eb.fn.coalesce('card_viewings.seen_on', 'excluded.seen_on'),
          half_stars: eb.fn.coalesce('card_viewings.half_stars', 'excluded.half_stars'),
          import_id: eb.ref('excluded.import_id'),
          night_id: null,
          server_id: null,
        }))
        .where((eb) =>
          eb.or([
            eb('card_viewings.import_id', '=', eb.ref('excluded.import_id')),
            eb.and([eb('excluded.half_stars', 'is not', null), MAY_BE_RATED]),
          ]),
        ),
    )
    .execute()
}

/** A mark that says no more than "seen", and that its member has neither made nor changed. */
const MAY_BE_RATED = sql<boolean>`card_viewings.half_stars is null and card_viewings.note is null
  and coalesce(card_viewings.import_id, card_viewings.night_id, card_viewings.server_id) is not null`

/** Notes of the marks that these rows of an import rate what they were before. The same import may bring more of one later. */
async function noteRated(db: AnyDb, rows: readonly ViewingRow[]): Promise<void> {
  const rated = rows.filter((row) => row.half_stars !== null)
  const [first] = rated
  if (!first) return
  const cardIds = rated.map((row) => row.card_id)
  await tables(db)
    .insertInto('rated_mark')
    .columns([...KEY, ...PRIOR])
    .expression((eb) =>
      eb
        .selectFrom('card_viewings')
        .select([...KEY, ...PRIOR])
        .where('watchlist_id', '=', first.watchlist_id)
        .where(isOneOf(db, sql.ref('card_id'), cardIds))
        .where('user_id', '=', first.user_id)
        .where(MAY_BE_RATED)
        .where((is) => is.or([is('import_id', 'is', null), is('import_id', '!=', first.import_id)])),
    )
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet((eb) => ({
        import_id: eb.ref('excluded.import_id'),
        night_id: eb.ref('excluded.night_id'),
        server_id: eb.ref('excluded.server_id'),
        seen_on: eb.ref('excluded.seen_on'),
      })),
    )
    .execute()
}

export type BroughtBy = { readonly watchlistId: string; readonly userId: string; readonly importId: string }

/**
 * Takes back what an import brought of some viewings, unless their member has changed them. One that was there before becomes what it
 * was, and one that another import has rated keeps the rating. Returns the ids of their cards.
 */
export async function takeBackBrought(db: AnyDb, by: BroughtBy, limit: number): Promise<string[]> {
  const { watchlistId, userId, importId } = by
  const rows = await tables(db)
    .selectFrom('card_viewings')
    .leftJoin('rated_mark', (join) =>
      join
        .onRef('rated_mark.watchlist_id', '=', 'card_viewings.watchlist_id')
        .onRef('rated_mark.card_id', '=', 'card_viewings.card_id')
        .onRef('rated_mark.user_id', '=', 'card_viewings.user_id'),
    )
    .select('card_viewings.card_id')
    .where('card_viewings.watchlist_id', '=', watchlistId)
    .where('card_viewings.user_id', '=', userId)
    .where((is) => is.or([is('card_viewings.import_id', '=', importId), is('rated_mark.import_id', '=', importId)]))
    // A process of an earlier version notes a change by the member here alone.
    .where('card_viewings.import_id', 'is not', null)
    .limit(limit)
    .execute()
  const cardIds = rows.map((row) => row.card_id)
  if (cardIds.length === 0) return []
  await deleteBrought(db, by, cardIds)
  await restorePrior(db, by, cardIds)
  await forgetDays(db, by, cardIds)
  await tables(db)
    .deleteFrom('rated_mark')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .where('user_id', '=', userId)
    .execute()
  return cardIds
}

async function deleteBrought(
  db: AnyDb,
  { watchlistId, userId, importId }: BroughtBy,
  cardIds: readonly string[],
): Promise<void> {
  await tables(db)
    .deleteFrom('card_viewings')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .where('user_id', '=', userId)
    .where('import_id', '=', importId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('rated_mark')
            .select('rated_mark.card_id')
            .whereRef('rated_mark.watchlist_id', '=', 'card_viewings.watchlist_id')
            .whereRef('rated_mark.card_id', '=', 'card_viewings.card_id')
            .whereRef('rated_mark.user_id', '=', 'card_viewings.user_id'),
        ),
      ),
    )
    .execute()
}

/** A mark that an import has rated is again what it was before. */
async function restorePrior(
  db: AnyDb,
  { watchlistId, userId, importId }: BroughtBy,
  cardIds: readonly string[],
): Promise<void> {
  await tables(db)
    .updateTable('card_viewings')
    .from('rated_mark')
    .set((eb) => ({
      half_stars: null,
      seen_on: eb.ref('rated_mark.seen_on'),
      import_id: eb.ref('rated_mark.import_id'),
      night_id: eb.ref('rated_mark.night_id'),
      server_id: eb.ref('rated_mark.server_id'),
    }))
    .whereRef('rated_mark.watchlist_id', '=', 'card_viewings.watchlist_id')
    .whereRef('rated_mark.card_id', '=', 'card_viewings.card_id')
    .whereRef('rated_mark.user_id', '=', 'card_viewings.user_id')
    .where('card_viewings.watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_viewings.card_id'), cardIds))
    .where('card_viewings.user_id', '=', userId)
    .where('card_viewings.import_id', '=', importId)
    .execute()
}

/** A mark of an import that another one has rated loses its day. */
async function forgetDays(
  db: AnyDb,
  { watchlistId, userId, importId }: BroughtBy,
  cardIds: readonly string[],
): Promise<void> {
  await tables(db)
    .updateTable('card_viewings')
    .from('rated_mark')
    .set({ seen_on: null })
    .whereRef('rated_mark.watchlist_id', '=', 'card_viewings.watchlist_id')
    .whereRef('rated_mark.card_id', '=', 'card_viewings.card_id')
    .whereRef('rated_mark.user_id', '=', 'card_viewings.user_id')
    .where('card_viewings.watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_viewings.card_id'), cardIds))
    .where('card_viewings.user_id', '=', userId)
    .where('rated_mark.import_id', '=', importId)
    .where('rated_mark.seen_on', 'is not', null)
    .execute()
}

/** The cards that nights marked as seen by a user until a time, and that the user has not changed since, latest first. */
export async function listUnratedOf(
  db: AnyDb,
  watchlistId: string,
  { userId, until, limit }: { userId: string; until: string; limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('card_viewings')
    .select('card_id')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where('night_id', 'is not', null)
    .where('changed_at', '<=', until)
    .orderBy('changed_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.card_id)
}

/** The marks that a night made and that their members have not changed since. */
export async function listUnratedAtNight(
  db: AnyDb,
  watchlistId: string,
  nightId: string,
): Promise<{ cardId: string; username: string }[]> {
  return await tables(db)
    .selectFrom('card_viewings')
    .select(['card_id as cardId', 'username'])
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', nightId)
    .orderBy('changed_at')
    .execute()
}

/** The viewings of one user in a watchlist, by card. */
export async function listOwnViewings(
  db: AnyDb,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  { after, until }: { after: string; until: string },
): Promise<ViewingRow[]> {
  return await tables(db)
    .selectFrom('card_viewings')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('card_id', '>', after)
    .where('card_id', '<=', until)
    .where('user_id', '=', userId)
    .orderBy('card_id')
    .execute()
}

/** Deletes all viewings of a user, also in watchlists that they have left. */
export async function deleteViewingsOf(db: AnyDb, userId: string): Promise<void> {
  await tables(db).deleteFrom('card_viewings').where('user_id', '=', userId).execute()
}

/** The ratings of one card in half stars. */
export type RatingSum = { cardId: string; count: number; sum: number; squares: number; lowest: number; highest: number }

/** The ratings of the cards of a range that a user has rated or declined to rate, also in the box. Without those that have none. */
export async function sumRatings(
  db: AnyDb,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  { after, until }: { after: string; until: string },
): Promise<RatingSum[]> {
  return await tables(db)
    .selectFrom('card_viewings as own')
    .innerJoin('card_viewings as rated', (join) =>
      join.onRef('rated.watchlist_id', '=', 'own.watchlist_id').onRef('rated.card_id', '=', 'own.card_id'),
    )
    .select([
      'rated.card_id as cardId',
      sql<number>`count(*)`.as('count'),
      sql<number>`sum(rated.half_stars)`.as('sum'),
      sql<number>`sum(rated.half_stars * rated.half_stars)`.as('squares'),
      sql<number>`min(rated.half_stars)`.as('lowest'),
      sql<number>`max(rated.half_stars)`.as('highest'),
    ])
    .where('own.watchlist_id', '=', watchlistId)
    .where('own.card_id', '>', after)
    .where('own.card_id', '<=', until)
    // Of the other rows, too: SQLite may begin with them.
    .where('rated.card_id', '>', after)
    .where('rated.card_id', '<=', until)
    .where('own.user_id', '=', userId)
    .where('own.night_id', 'is', null)
    .where('own.server_id', 'is', null)
    .where('rated.half_stars', 'is not', null)
    .groupBy('rated.card_id')
    .execute()
}
