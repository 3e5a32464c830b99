import type { CardStatus, MovieMatch } from '@marquee/contract/entities/card'
import type { Movie } from '@marquee/contract/entities/movie'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import { compareNamesakes, isAlike, movieKeys, type Titled, titleKeys } from '../../same-movie/service.ts'
import { findByMovie, findByTitle, type MatchRow } from './box-store.ts'
import { readMovie } from '../card/store.ts'

/**
 * Where a movie already is in a watchlist: its newest card in the feed, and whether it is in the box. Who put it there stays
 * secret.
 */
export async function matchMovie(db: AnyDb, watchlistId: string, movie: Titled): Promise<MovieMatch> {
  const cards = await findCardsOf(db, watchlistId, movie)
  const [newest] = cards
    .filter(({ status }) => !isInTheBox(status))
    .toSorted((one, other) => (one.status_changed_at < other.status_changed_at ? 1 : -1))
  return {
    inFeed: newest ? { cardId: newest.id, status: newest.status, statusChangedAt: newest.status_changed_at } : null,
    isInBox: cards.some(({ status }) => isInTheBox(status)),
  }
}

/** The cards of a movie in a watchlist; one may appear twice. */
async function findCardsOf(db: AnyDb, watchlistId: string, { title, movie }: Titled): Promise<MatchRow[]> {
  const ids = movieKeys(movie?.ids ?? {})
  const sameId = ids.length === 0 ? [] : await findByMovie(db, watchlistId, ids)
  const titles = movie?.originalTitle ? [title, movie.originalTitle] : [title]
  const sameTitle = await findByTitle(db, watchlistId, titles.flatMap(titleKeys))
  const isSame = (card: MatchRow) => isAlike(compareNamesakes(movie, readMovie(card.movie)))
  return [...sameId, ...sameTitle.filter(isSame)]
}

/** All cards that may be about a movie, also those of others in the box. Only for decisions that do not show them. */
export async function cardsOfMovie(
  db: AnyDb,
  watchlistId: string,
  movie: Titled,
): Promise<{ id: string; movie: Movie | null; status: CardStatus; creatorId: string }[]> {
  const cards = await findCardsOf(db, watchlistId, movie)
  return cards.map(({ id, status, ...card }) => ({
    id,
    status,
    creatorId: card.creator_id,
    movie: readMovie(card.movie),
  }))
}
