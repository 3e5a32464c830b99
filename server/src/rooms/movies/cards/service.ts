import type { Movie } from '@marquee/contract/entities/movie'
import type { MovieInStatistics } from '@marquee/contract/entities/statistics'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import { FROM_CATALOGUE, type PosterRequest } from '../posters/service.ts'
import { findMovieOfCard } from './box/box-store.ts'
import type { CardPorts } from './card/ports.ts'
import { listMovies } from './library/statistics-store.ts'
import { savePicture, savePosterCopy, withMovie } from './card/store.ts'

export {
  type BoxCard,
  type BoxFilter,
  countInBox,
  countPutBack,
  findInBox,
  findInSlots,
  idInSlot,
  listInBox,
  listMoviesInBox,
  listWanters,
  listWantsInBox,
  type OtherWant,
} from './box/box-store.ts'
export {
  addToBox,
  type KnownCard,
  knownAmong,
  knownCards,
  knownWants,
  knownWantsAmong,
  onlyRevealed,
  othersInBox,
  putBackCards,
  type RevealedCard,
  removeFromBox,
} from './box/bulk.ts'
export { exportCards, exportedCards, type ExportSource } from './export.ts'
export { countedRanges, keyRanges } from './card/key-ranges.ts'
export { cardsOfMovie } from './box/match.ts'
export { moveCard } from './feed/move-card.ts'
export type { CardPorts, MovePorts } from './card/ports.ts'
export {
  countDecisions,
  countWatched,
  findLongestWaits,
  listSuggesters,
  listWatched,
  listWatchedIn,
  type Suggester,
  type Wait,
  type WatchedCount,
} from './library/statistics-store.ts'
export { findTitles, listAccepted, listFeed, onlyInFeed } from './feed/feed-store.ts'
export { findInFeed, type KeyRange } from './card/store.ts'
export { deleteWantsOf as forgetWants, findWants } from './card/want-store.ts'
export { exportWants, wantCards } from './box/wants.ts'
export { findFeedMovies, listCardsOfFeed, listFeedMovies } from './library/library-store.ts'
export { presentCard } from './card/present.ts'
export { type RestoredCard, restoreCards } from './restore.ts'
export { findLastChanges, takeCards, takeFromSlot } from './card/status-store.ts'

/**
 * Saves the result of copying or finding a poster: its name, or undefined if there is none. True if a card of the feed changed. For a
 * card in the box nothing else may change, because others would notice.
 */
export async function settlePoster(trx: AnyDb, poster: PosterRequest, hash: string | undefined): Promise<boolean> {
  const status =
    poster.url === FROM_CATALOGUE ? await savePicture(trx, poster, hash) : await savePosterCopy(trx, poster, hash)
  return status !== undefined && !isInTheBox(status)
}

/** The movie of a card, in the feed or in the box, without a check of access. */
export async function movieOfCard(
  db: AnyDb,
  { watchlistId, cardId }: { watchlistId: string; cardId: string },
): Promise<{ title: string; movie: Movie | null } | undefined> {
  const row = await findMovieOfCard(db, { watchlistId, cardId })
  return row && withMovie(row)
}

/** What statistics show of these cards, by id. Those in the box are left out. */
export async function findMovies(
  { database, images }: Pick<CardPorts, 'database' | 'images'>,
  watchlistId: string,
  ids: readonly string[],
): Promise<Map<string, MovieInStatistics>> {
  const rows = await listMovies(database.read, watchlistId, ids)
  return new Map(
    rows.map((row) => {
      const { id, title, creator_username: creatorId, status_changed_at: statusChangedAt } = row
      return [id, { id, title, creatorId, statusChangedAt, ...images.posterOf(row) }]
    }),
  )
}
