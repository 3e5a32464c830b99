import type { MovieMatch } from '@marquee/contract/entities/card'
import type { Movie } from '@marquee/contract/entities/movie'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import { isSameMovie, movieKeys, type MovieIdentity, titleKeys } from './match-keys.ts'
import { findByMovie, findByTitle } from './match-store.ts'

/**
 * Where a movie already is in a watchlist: its newest card in the feed, and whether it is in the box. Who put it there stays
 * secret.
 */
export async function matchMovie(db: AnyDb, watchlistId: string, movie: MovieIdentity): Promise<MovieMatch> {
  const ids = movieKeys(movie.ids)
  const sameId = ids.length === 0 ? [] : await findByMovie(db, watchlistId, ids)
  const sameTitle = await findByTitle(db, watchlistId, movie.titles.flatMap(titleKeys))
  const cards = [
    ...sameId,
    ...sameTitle.filter((card) => isSameMovie(movie, card.movie === null ? null : (JSON.parse(card.movie) as Movie))),
  ]
  const [newest] = cards
    .filter(({ status }) => !isInTheBox(status))
    .toSorted((one, other) => (one.status_changed_at < other.status_changed_at ? 1 : -1))
  return {
    inFeed: newest ? { cardId: newest.id, status: newest.status, statusChangedAt: newest.status_changed_at } : null,
    isInBox: cards.some(({ status }) => isInTheBox(status)),
  }
}
