import type { Movie } from '@marquee/contract/entities/movie'
import type { AnyDb } from '@marquee/platform/database/database'

import { addToBox, othersInBox, wantCards } from '../cards/service.ts'
import type { User } from '../../club/people/service.ts'
import { createMatcher } from './matching.ts'
import type { RowRecord } from './store.ts'

/**
 * Adds the movies of rows to the box, in a transaction that holds the watchlist. For a movie that another member has added,
 * adds a want instead of a second card, unless title and year leave a doubt. Returns the card of each row.
 */
export async function addMovies(
  trx: AnyDb,
  user: User,
  watchlistId: string,
  rows: readonly RowRecord[],
  at: string,
): Promise<(row: RowRecord) => string> {
  const movies = rows.map(({ card_id: id, title, movie }) => ({ id, title, movie: JSON.parse(movie) as Movie }))
  const matcher = createMatcher()
  for (const card of await othersInBox(trx, user, watchlistId, movies)) {
    // Of several cards of one movie, the oldest.
    if (matcher.findCard(card) === undefined) matcher.addCard(card.id, card)
  }
  const wanted = new Map<string, string>()
  for (const movie of movies) {
    const cardId = matcher.findCard(movie)
    if (cardId !== undefined) wanted.set(movie.id, cardId)
  }
  const wants = movies.flatMap((movie) => {
    const cardId = wanted.get(movie.id)
    return cardId === undefined ? [] : [{ ...movie, cardId }]
  })
  await wantCards(trx, user, watchlistId, wants, at)
  const added = movies.filter(({ id }) => !wanted.has(id))
  await addToBox(trx, user, watchlistId, added, at)
  return ({ card_id: id }) => wanted.get(id) ?? id
}
