import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'
import type { DueTable } from '@marquee/platform/queue/store'

import type { PosterRequest } from './service.ts'

export type RequestTables = {
  poster_request: {
    watchlist_id: string
    card_id: string
    user_id: string
    url: string
    attempts: number
    due_at: number
  }
}

/** The columns of cards with a poster. */
type Referring = {
  card: {
    watchlist_id: string
    id: string
    creator_id: string
    image_url: string | null
    copy_hash: string | null
    copy_failed: number
  }
}

export type RequestRow = RequestTables['poster_request']

const tables = withTables<RequestTables & Referring>

/** Requests that wait. Those of one watchlist take turns with those of others. */
export const WAITING_REQUESTS: DueTable<RequestRow> = {
  name: 'poster_request',
  key: ['watchlist_id', 'card_id'],
  lane: 1,
  laneOf: ({ watchlist_id: watchlistId, card_id: cardId }) => `${watchlistId} ${cardId}`,
  laneName: sql<string>`watchlist_id || ' ' || card_id`,
  attempts: 'attempts',
}

export const addRequest = prepared<PosterRequest & { dueAt: number }, unknown>((db, value) => {
  const request = { user_id: value('userId'), url: value('url'), attempts: 0, due_at: value('dueAt') }
  return tables(db)
    .insertInto('poster_request')
    .values({ watchlist_id: value('watchlistId'), card_id: value('cardId'), ...request })
    .onConflict((conflict) => conflict.columns(['watchlist_id', 'card_id']).doUpdateSet(request))
})

/** How many requests to the catalogue wait in a watchlist, and when the last of them is due. */
export async function lastOfCatalogue(
  db: AnyDb,
  watchlistId: string,
  url: string,
): Promise<{ count: number; dueAt: number | null }> {
  const row = await tables(db)
    .selectFrom('poster_request')
    .select(({ fn }) => [fn.countAll().as('count'), fn.max('due_at').as('due_at')])
    .where('watchlist_id', '=', watchlistId)
    .where('url', '=', url)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), dueAt: row.due_at }
}

/** Adds requests for cards that have none. */
export async function addRequests(db: AnyDb, requests: readonly (PosterRequest & { dueAt: number })[]): Promise<void> {
  if (requests.length === 0) return
  await tables(db)
    .insertInto('poster_request')
    .values(
      requests.map(({ watchlistId, cardId, userId, url, dueAt }) => ({
        watchlist_id: watchlistId,
        card_id: cardId,
        user_id: userId,
        url,
        attempts: 0,
        due_at: dueAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Adds requests for cards that have neither a copy nor a request, at most `limit`; returns their number. */
export async function addMissingRequests(db: AnyDb, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const added = await tables(db)
    .insertInto('poster_request')
    .columns(['watchlist_id', 'card_id', 'user_id', 'url', 'attempts', 'due_at'])
    .expression((eb) =>
      eb
        .selectFrom('card')
        .select(['card.watchlist_id', 'card.id', 'card.creator_id', 'card.image_url'])
        .select([sql.lit(0).as('attempts'), sql.lit(now.getTime()).as('due_at')])
        // Literal, not bound: the index is partial.
        .where(sql<boolean>`image_url is not null and copy_hash is null and copy_failed = 0`)
        .where(
          sql<boolean>`not exists (select 1 from poster_request as r where r.watchlist_id = card.watchlist_id and r.card_id = card.id)`,
        )
        .orderBy('card.watchlist_id')
        .orderBy('card.id')
        .limit(limit),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('card_id')
    .execute()
  return added.length
}

export async function removeRequest(db: AnyDb, { watchlistId, cardId, url }: PosterRequest): Promise<void> {
  await tables(db)
    .deleteFrom('poster_request')
    .where('watchlist_id', '=', watchlistId)
    .where('card_id', '=', cardId)
    .where('url', '=', url)
    .execute()
}
