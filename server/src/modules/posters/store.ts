import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'

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

/** A request that this process claimed. `attempts` includes this one. */
export type ClaimedPoster = PosterRequest & { readonly attempts: number }

const tables = withTables<RequestTables & Referring>

export const addRequest = prepared<PosterRequest & { dueAt: number }, unknown>((db, value) => {
  const request = { user_id: value('userId'), url: value('url'), attempts: 0, due_at: value('dueAt') }
  return tables(db)
    .insertInto('poster_request')
    .values({ watchlist_id: value('watchlistId'), card_id: value('cardId'), ...request })
    .onConflict((conflict) => conflict.columns(['watchlist_id', 'card_id']).doUpdateSet(request))
})

/** When the last of the requests to the catalogue is due; undefined if there is none in this watchlist. */
export async function lastDueAt(db: AnyDb, watchlistId: string, url: string): Promise<number | undefined> {
  const row = await tables(db)
    .selectFrom('poster_request')
    .select('due_at')
    .where('watchlist_id', '=', watchlistId)
    .where('url', '=', url)
    .orderBy('due_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
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

/** Claims the request that has been due longest, by postponing it to `until`. */
export async function claimRequest(
  db: AnyDb,
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedPoster | undefined> {
  const due = await tables(db)
    .selectFrom('poster_request')
    .selectAll()
    .where('due_at', '<=', now.getTime())
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  if (!due) return undefined
  const attempts = due.attempts + 1
  const { numUpdatedRows } = await requestOf(db, { watchlistId: due.watchlist_id, cardId: due.card_id, url: due.url })
    .set({ due_at: until.getTime(), attempts })
    // Another process may have claimed it.
    .where('due_at', '=', due.due_at)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) return await claimRequest(db, { now, until })
  return { watchlistId: due.watchlist_id, cardId: due.card_id, userId: due.user_id, url: due.url, attempts }
}

export async function postponeRequest(
  db: AnyDb,
  poster: PosterRequest,
  { attempts, dueAt }: { attempts: number; dueAt: Date },
): Promise<void> {
  await requestOf(db, poster).set({ attempts, due_at: dueAt.getTime() }).execute()
}

export async function removeRequest(db: AnyDb, { watchlistId, cardId, url }: PosterRequest): Promise<void> {
  await tables(db)
    .deleteFrom('poster_request')
    .where('watchlist_id', '=', watchlistId)
    .where('card_id', '=', cardId)
    .where('url', '=', url)
    .execute()
}

export async function nextDueAt(db: AnyDb): Promise<number | undefined> {
  const row = await tables(db)
    .selectFrom('poster_request')
    .select('due_at')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** How many posters wait, those in progress included. */
export async function countRequests(db: AnyDb): Promise<number> {
  const row = await tables(db)
    .selectFrom('poster_request')
    .select(({ fn }) => fn.countAll().as('requests'))
    .executeTakeFirstOrThrow()
  return Number(row.requests)
}

/** The request for this address. The card may have another address by now. */
function requestOf(db: AnyDb, { watchlistId, cardId, url }: Pick<PosterRequest, 'watchlistId' | 'cardId' | 'url'>) {
  return tables(db)
    .updateTable('poster_request')
    .where('watchlist_id', '=', watchlistId)
    .where('card_id', '=', cardId)
    .where('url', '=', url)
}
