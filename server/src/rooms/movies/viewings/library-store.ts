import { type RawBuilder, sql } from 'kysely'

/** Conditions of statements that select from `card`, about what a user has seen. A user who is not a member has seen nothing. */
export type SeenFilter = {
  seen?: 'yes' | 'no' | undefined
  ownRating?: number | undefined
  averageRating?: number | undefined
}

export function seenConditions(userId: string, { seen, ownRating, averageRating }: SeenFilter): RawBuilder<boolean>[] {
  const ofUser = sql`from card_viewings as own where own.watchlist_id = card.watchlist_id and own.card_id = card.id
    and own.user_id = ${userId}`
  return [
    ...(seen === 'no' ? [sql<boolean>`not exists (select 1 ${ofUser})`] : []),
    ...(seen === 'yes' ? [sql<boolean>`exists (select 1 ${ofUser})`] : []),
    ...(ownRating === undefined
      ? []
      : [sql<boolean>`exists (select 1 ${ofUser} and own.half_stars >= ${ownRating * 2})`]),
    ...(averageRating === undefined
      ? []
      : [
          // The average is secret to users who have not rated the movie or declined to.
          sql<boolean>`exists (select 1 ${ofUser} and own.night_id is null and own.server_id is null)`,
          sql<boolean>`(select avg(given.half_stars) from card_viewings as given
            where given.watchlist_id = card.watchlist_id and given.card_id = card.id) >= ${averageRating * 2}`,
        ]),
  ]
}

/** True for cards that the user has not rated. */
export function isUnratedBy(userId: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from card_viewings as own where own.watchlist_id = card.watchlist_id
    and own.card_id = card.id and own.user_id = ${userId} and own.half_stars is not null)`
}

/** The ratings of a user in a watchlist, as a table. */
export function ratingsOf(watchlistId: string, userId: string): RawBuilder<{ card_id: string; half_stars: number }> {
  return sql<{ card_id: string; half_stars: number }>`(select card_id, half_stars from card_viewings
    where watchlist_id = ${watchlistId} and user_id = ${userId} and half_stars is not null)`
}
