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

/** What a mark was before an import rated it. All are null for a mark that the import made. */
type PriorMark = {
  prior_import_id: string | null
  prior_night_id: string | null
  prior_server_id: string | null
  prior_seen_on: string | null
}

export type ViewingTables = { card_viewings: ViewingRow & PriorMark }

const tables = withTables<ViewingTables>

const KEY = ['watchlist_id', 'card_id', 'user_id'] as const
const CONTENT = [
  'username',
  'seen_on',
  'half_stars',
  'note',
  'changed_at',
  'import_id',
  'night_id',
  'server_id',
] as const

type CardKey = { watchlistId: string; cardId: string }

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
    .selectAll()
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .orderBy('changed_at')
    .orderBy('user_id'),
)

/** The viewings of one card, oldest change first. The last statement of a transaction. */
export const readViewings = viewingsOfCard.send

const NO_PRIOR = { prior_import_id: null, prior_night_id: null, prior_server_id: null, prior_seen_on: null } as const

const savingRow = (isOnlyMark: boolean) =>
  prepared<ViewingRow, unknown>((db, value) =>
    tables(db)
      .insertInto('card_viewings')
      .values(given([...KEY, ...CONTENT], value))
      .onConflict((conflict) => {
        const changed = conflict.columns(KEY).doUpdateSet((eb) => ({
          ...Object.fromEntries(CONTENT.map((name) => [name, eb.ref(`excluded.${name}`)])),
          ...NO_PRIOR,
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
    .updateTable('card_viewings')
    .set({ prior_night_id: null })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('prior_night_id', 'is not', null),
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

export const deleteViewingRow = prepared<CardKey & { userId: string }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('card_viewings')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('user_id', '=', value('userId')),
)

/**
 * Adds the viewings of an import. Of an earlier one, what the same import left open is filled in. One that another import, a night
 * or a media server brought, and that has no rating, gets the one of this import, and is of this import until an undo.
 */
export async function insertBrought(db: AnyDb, rows: readonly ViewingRow[]): Promise<void> {
  if (rows.length === 0) return
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
          prior_import_id: unlessOfSame('prior_import_id', 'import_id'),
          prior_night_id: unlessOfSame('prior_night_id', 'night_id'),
          prior_server_id: unlessOfSame('prior_server_id', 'server_id'),
          prior_seen_on: unlessOfSame('prior_seen_on', 'seen_on'),
        }))
        .where((eb) =>
          eb.or([
            eb('card_viewings.import_id', '=', eb.ref('excluded.import_id')),
            eb.and([
              eb('card_viewings.half_stars', 'is', null),
              eb('card_viewings.note', 'is', null),
              eb('excluded.half_stars', 'is not', null),
              eb.or(BRINGERS.map((bringer) => eb(`card_viewings.${bringer}`, 'is not', null))),
            ]),
          ]),
        ),
    )
    .execute()
}

const BRINGERS = ['import_id', 'night_id', 'server_id'] as const

/** What is noted of a mark before an import rates it. The same import may bring more of it later. */
function unlessOfSame(noted: keyof PriorMark, column: keyof ViewingRow) {
  return sql<string | null>`case when card_viewings.import_id = excluded.import_id
    then ${sql.ref(`card_viewings.${noted}`)} else ${sql.ref(`card_viewings.${column}`)} end`
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
    .select('card_id')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('import_id', '=', importId), eb('prior_import_id', '=', importId)]))
    // A process of an earlier version notes a change by the member here alone.
    .where('import_id', 'is not', null)
    .limit(limit)
    .execute()
  const cardIds = rows.map((row) => row.card_id)
  if (cardIds.length === 0) return []
  await deleteBrought(db, by, cardIds)
  await restorePrior(db, by, cardIds)
  await forgetPrior(db, by, cardIds)
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
    .where('prior_import_id', 'is', null)
    .where('prior_night_id', 'is', null)
    .where('prior_server_id', 'is', null)
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
    .set((eb) => ({
      half_stars: null,
      seen_on: eb.ref('prior_seen_on'),
      import_id: eb.ref('prior_import_id'),
      night_id: eb.ref('prior_night_id'),
      server_id: eb.ref('prior_server_id'),
      ...NO_PRIOR,
    }))
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .where('user_id', '=', userId)
    .where('import_id', '=', importId)
    .execute()
}

/** A mark of an import that another one has rated is of that one alone. Its day goes. */
async function forgetPrior(
  db: AnyDb,
  { watchlistId, userId, importId }: BroughtBy,
  cardIds: readonly string[],
): Promise<void> {
  await tables(db)
    .updateTable('card_viewings')
    .set({ seen_on: sql`case when prior_seen_on is null then seen_on end`, ...NO_PRIOR })
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .where('user_id', '=', userId)
    .where('prior_import_id', '=', importId)
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
