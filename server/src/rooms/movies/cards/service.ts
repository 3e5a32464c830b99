import type { WrittenContent } from '@marquee/contract/entities/card-content'
import type { DataExport } from '@marquee/contract/entities/account'
import type { Card, CardsPage, CardStatus } from '@marquee/contract/entities/card'
import type { MovieInStatistics } from '@marquee/contract/entities/statistics'
import type { Movie } from '@marquee/contract/entities/movie'
import { Problem } from '@marquee/contract/problems'
import { canMove, isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { pageOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Sent } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'
import type { ReadyJson } from '@marquee/platform/http/ready-json'

import type { ImageAddresses, KeptImage } from '../images/service.ts'
import { FROM_CATALOGUE, type PosterRequest, type Posters } from '../posters/service.ts'
import type { User } from '../../club/people/service.ts'
import { type Access, authorizeUpload, changeWatchlist, type WatchlistPorts } from '../../club/watchlists/service.ts'
import { findMovieOfCard } from './box-store.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import { keyRanges } from './key-ranges.ts'
import { presentCard, presentContent, presentPage } from './present.ts'
import { listMovies } from './statistics-store.ts'
import { changeStatus, insertStatusChange } from './status-store.ts'
import {
  type CardKey,
  findCardOfFeed,
  findInFeed,
  findWritten,
  insertCard,
  listFeed,
  listOwnCards,
  newCardColumns,
  savePicture,
  savePosterCopy,
  withMovie,
} from './store.ts'

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
} from './box-store.ts'
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
} from './bulk.ts'
export { exportedCards, type ExportSource } from './export.ts'
export { countedRanges, keyRanges } from './key-ranges.ts'
export { cardsOfMovie } from './match.ts'
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
} from './statistics-store.ts'
export { findInFeed, findTitles, listAccepted, type KeyRange, listFeed, onlyInFeed } from './store.ts'
export { deleteWantsOf as forgetWants, findWants } from './want-store.ts'
export { exportWants, wantCards } from './wants.ts'
export { findFeedMovies, listCardsOfFeed, listFeedMovies } from './library-store.ts'
export { presentCard } from './present.ts'
export { type RestoredCard, restoreCards } from './restore.ts'
export { findLastChanges, takeCards, takeFromSlot } from './status-store.ts'

export type CardPorts = WatchlistPorts & {
  readonly images: ImageAddresses & { keep: (image: string, userId: string) => Promise<KeptImage> }
  readonly posters: Posters
}

/** What moves of cards need of movie nights. `Night` is the open one, with those who are there. */
export type MovePorts = CardPorts & {
  readonly nights: {
    readonly findOpen: (db: AnyDb, watchlistId: string, now: string) => Promise<Night | undefined>
    /** Makes an accepted card the film of the night. */
    readonly record: (trx: AnyDb, card: CardKey, night: Night, at: string) => Sent<unknown>[]
    readonly takeBack: (trx: AnyDb, card: CardKey) => Sent<unknown>
    /** The night whose film a card is. */
    readonly findNight: (db: AnyDb, card: CardKey) => Promise<object | null>
  }
}

type Person = { userId: string; username: string }
type Night = { nightId: string; members: Person[]; guests: Person[] }

const MEMBER_WAS_FASTER = 'Another member was faster: this card is not revealed any more'

/**
 * A page of the feed: the cards that are not in the box, newest status change first. `nextToken` is null on the last.
 * @throws {Problem} BAD_REQUEST if the token is invalid.
 */
export async function listCards(
  db: AnyDb,
  { images }: Pick<CardPorts, 'images'>,
  { watchlistId, limit, nextToken }: { watchlistId: string; limit: number; nextToken?: string | undefined },
): Promise<ReadyJson<CardsPage>> {
  const rows = await listFeed(db, watchlistId, { after: readCursor(nextToken), limit: limit + 1 })
  const page = pageOf(rows, limit, cursorAfter)
  return presentPage(page.shown, page.nextToken, images.posterOf)
}

/**
 * Puts a card into the box, in the slot after the last, or straight into the feed.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the image is invalid.
 */
export async function addCard(
  ports: CardPorts,
  user: User,
  watchlistId: string,
  card: WrittenContent & { image: string; revealImmediately: boolean },
): Promise<Card> {
  await authorizeUpload(ports.database.read, user, 'card.add', watchlistId)
  const image = await ports.images.keep(card.image, user.userId)
  const id = ports.random.orderedId()
  const history: CardStatus[] = card.revealImmediately ? ['SUGGESTED', 'REVEALED'] : ['SUGGESTED']
  const lock = card.revealImmediately ? { changesFeed: true } : ({ boxDelta: 1 } as const)
  const added = await changeWatchlist(ports, user, 'card.add', { watchlistId, lock }, async (change) => {
    const { trx, at, boxCount, happened } = change
    const inserted = insertCard.send(trx, {
      ...newCardColumns({ watchlistId, cardId: id }, card, user, at),
      image_url: image.url,
      image_hash: image.hash,
      status: card.revealImmediately ? 'REVEALED' : 'SUGGESTED',
      status_change_count: history.length,
      selection_index: card.revealImmediately ? null : boxCount - 1,
    })
    const entry = { watchlist_id: watchlistId, card_id: id, changed_by: user.username, changed_at: at }
    const recorded = history.map((status, seq) => insertStatusChange.send(trx, { ...entry, status, seq }))
    // A card in the box is secret: other members see only the count.
    if (card.revealImmediately) happened('card.revealed', { cardId: id })
    else happened('box.changed')
    const poster = image.url !== null && { watchlistId, cardId: id, userId: user.userId, url: image.url }
    const requested = poster ? [ports.posters.request(trx, poster)] : []
    return findWritten(trx, user, { watchlistId, cardId: id })
      .with(inserted, ...recorded, ...requested)
      .map((row) => presentCard(row, ports.images.posterOf))
  })
  if (image.url !== null) ports.posters.wake()
  return added
}

/**
 * Moves a revealed card: back into the last slot of the box, declined or accepted. If a movie night is open, an accepted card
 * becomes its film, which those who are there have seen.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if another member moved it first.
 */
export async function moveCard(
  ports: MovePorts,
  user: User,
  { watchlistId, cardId, to }: CardKey & { to: MoveTarget },
): Promise<Card> {
  const card = { watchlistId, cardId }
  const item = async (db: AnyDb) => {
    const now = ports.clock.now().toISOString()
    const openNight = to === 'WATCHED' ? ports.nights.findOpen(db, watchlistId, now) : Promise.resolve(undefined)
    const [found, night] = await together(findInFeed(db, card), openNight)
    return found && { ...found, night }
  }
  const place = { watchlistId, item, lock: { boxDelta: isInTheBox(to) ? 1 : 0, changesFeed: true } as const }
  return await changeWatchlist(ports, user, 'card.move', place, async ({ trx, at, boxCount, happened, ...change }) => {
    const { status: from, changeCount, night } = change.item
    if (!canMove(from, to)) throw new Problem('BAD_REQUEST', MEMBER_WAS_FASTER)
    const slot = isInTheBox(to) ? boxCount - 1 : null
    const recorded = night ? ports.nights.record(trx, card, night, at) : []
    const moved = changeStatus(trx, { ...card, from, status: to, changeCount, slot, by: user.username, at })
    if (to === 'SUGGESTED') {
      happened('card.put-back', { cardId })
      happened('box.changed')
    } else {
      happened('card.decided', { cardId, to })
    }
    if (night) happened('viewing.changed', { cardId })
    return moved.with(...recorded).map((row) => presentCard(row, ports.images.posterOf))
  })
}

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

/** One card of the feed. @throws {Problem} NOT_FOUND, also where it is in the box. */
export async function getCard(ports: CardPorts, { watchlistId }: Access, cardId: string): Promise<Card> {
  const row = await findCardOfFeed(ports.database.read, { watchlistId, cardId })
  if (!row) throw new Problem('NOT_FOUND')
  return presentCard(row, ports.images.posterOf)
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

/** The cards that a user added to a watchlist and that are not in the box, for the export of their data. */
export async function* exportCards(
  { database, images }: Pick<CardPorts, 'database'> & { images: ImageAddresses },
  watchlistId: string,
  { userId }: User,
): AsyncGenerator<DataExport['watchlists'][number]['cards'][number]> {
  for await (const range of keyRanges(database.read, watchlistId)) {
    const rows = await listOwnCards(database.read, { watchlistId, creatorId: userId }, range)
    yield* rows.map((row) => ({
      cardId: row.id,
      ...presentContent(row),
      imageUrl: row.image_url ?? images.posterOf(row).imageUrl,
      status: row.status,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }))
  }
}
