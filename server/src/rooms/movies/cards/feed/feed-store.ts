import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf, jsonArray } from '@marquee/platform/database/json'
import { prepared, preparedFirst } from '@marquee/platform/database/prepared'

import type { FeedPlace } from '../card/cursor.ts'
import { type CardKey, type CardRow, type CardTables, IS_IN_FEED, selectCards } from '../card/store.ts'

const tables = withTables<CardTables>

export const findCardOfFeed = preparedFirst<CardKey, CardRow>((db, value) =>
  selectCards(db)
    .where('card.watchlist_id', '=', value('watchlistId'))
    .where('card.id', '=', value('cardId'))
    .where(IS_IN_FEED),
)

type PlaceInFeed = { watchlistId: string; statusChangedAt?: string | undefined; id?: string | undefined }

const pageOfFeed = prepared<PlaceInFeed, CardRow, { limit: number; isFirst: boolean }>(
  (db, value, { limit, isFirst }) =>
    selectCards(db)
      .where('card.watchlist_id', '=', value('watchlistId'))
      .where(IS_IN_FEED)
      .$if(!isFirst, (query) =>
        query.where(sql<boolean>`(card.status_changed_at, card.id) < (${value('statusChangedAt')}, ${value('id')})`),
      )
      .orderBy('card.status_changed_at', 'desc')
      .orderBy('card.id', 'desc')
      // Literal, too: SQLite plans again each time a limit is bound.
      .limit(sql.lit(limit)),
)

/** The cards out of the box, newest status change first, ties by id; those right after `after`, if given. */
export async function listFeed(
  db: AnyDb,
  watchlistId: string,
  { after, limit }: { after: FeedPlace | undefined; limit: number },
): Promise<CardRow[]> {
  return await pageOfFeed(db, { watchlistId, ...after }, { limit, isFirst: after === undefined })
}

const accepted = prepared<{ watchlistId: string }, { creator: string; others: string }, { limit: number }>(
  (db, value, { limit }) => {
    const others = jsonArray(
      db,
      { username: sql.ref('w.username') },
      {
        orderBy: sql`w.user_id`,
        from: sql`from card_wants as w where w.watchlist_id = card.watchlist_id and w.card_id = card.id`,
      },
    )
    return tables(db)
      .selectFrom('card')
      .select(['creator_username as creator', others.as('others')])
      .where('watchlist_id', '=', value('watchlistId'))
      .where(sql<boolean>`status = 'WATCHED'`)
      .orderBy('status_changed_at', 'desc')
      .limit(sql.lit(limit))
  },
)

/** The usernames of those who wanted each of the cards that were accepted last, the latest first. */
export async function listAccepted(db: AnyDb, watchlistId: string, limit: number): Promise<string[][]> {
  const rows = await accepted(db, { watchlistId }, { limit })
  return rows.map(({ creator, others }) => [
    creator,
    ...(JSON.parse(others) as { username: string }[]).map(({ username }) => username),
  ])
}

/** The titles of those of the cards that are not in the box, by id. */
export async function findTitles(
  db: AnyDb,
  watchlistId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tables(db)
    .selectFrom('card')
    .select(['id', 'title'])
    .where('watchlist_id', '=', watchlistId)
    .where('status', '<>', 'SUGGESTED')
    .where(isOneOf(db, sql.ref('id'), ids))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** Those of the cards that are in the feed, in any order. */
export async function onlyInFeed(db: AnyDb, watchlistId: string, cardIds: readonly string[]): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('card')
    .select('id')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('id'), cardIds))
    .where(IS_IN_FEED)
    .execute()
  return rows.map(({ id }) => id)
}
