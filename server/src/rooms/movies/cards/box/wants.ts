import type { WrittenContent } from '@marquee/contract/entities/card-content'
import type { Want, WantsPage } from '@marquee/contract/entities/card'
import { Problem } from '@marquee/contract/problems'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { pageOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import { nextTurn } from '@marquee/platform/runtime/turns'

import type { User } from '../../../club/people/service.ts'
import { changeWatchlist, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { readCursor, writeCursor } from '../card/cursor.ts'
import { cardsOfMovie } from './match.ts'
import { presentMovie } from '../card/present.ts'
import type { CardKey } from '../card/store.ts'
import { deleteWantsIn, insertWants, listWantsAfter, listWantsOf, wantsAny, type WantRow } from '../card/want-store.ts'

type WantPorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'facts'>

const WANTS_AT_ONCE = 200
const NOT_IN_THE_BOX = 'This movie is not in the box any more'

/**
 * Notes that a user wants a movie that is in the box already. The answer is the same to the creator of the card and to a user
 * who wants it already, so it tells nothing of others.
 * @throws {Problem} NOT_FOUND, also if the movie is not in the box; FORBIDDEN.
 */
export async function wantMovie(
  ports: WantPorts,
  user: User,
  watchlistId: string,
  content: Pick<WrittenContent, 'title' | 'movie'>,
): Promise<void> {
  await changeWatchlist(ports, user, 'card.want', { watchlistId }, async ({ trx, at }) => {
    const cards = (await cardsOfMovie(trx, watchlistId, { title: content.title, movie: content.movie ?? null })).filter(
      ({ status }) => isInTheBox(status),
    )
    const [first] = cards.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    if (first === undefined) throw new Problem('NOT_FOUND', NOT_IN_THE_BOX)
    if (cards.some((card) => card.creatorId === user.userId)) return
    const cardIds = cards.map(({ id }) => id)
    if (await wantsAny(trx, { watchlistId, userId: user.userId }, cardIds)) return
    const want = { watchlistId, cardId: first.id, id: ports.random.orderedId(), at }
    await insertWants(trx, [newWant(user, want, content)])
  })
}

/**
 * Wants cards of others in the box, each under an id of its own, in a transaction that holds the watchlist. A card that the user
 * wants already stays as it is.
 */
export async function wantCards(
  trx: AnyDb,
  user: User,
  watchlistId: string,
  wants: readonly (Pick<WrittenContent, 'title' | 'movie'> & { id: string; cardId: string })[],
  at: string,
): Promise<void> {
  await insertWants(
    trx,
    wants.map(({ id, cardId, ...content }) => newWant(user, { watchlistId, cardId, id, at }, content)),
  )
}

/** A user's want of a card, under `id`. */
function newWant(
  { userId, username }: User,
  { watchlistId, cardId, id, at }: CardKey & { id: string; at: string },
  { title, movie }: Pick<WrittenContent, 'title' | 'movie'>,
): WantRow {
  return {
    watchlist_id: watchlistId,
    card_id: cardId,
    user_id: userId,
    created_at: at,
    id,
    username,
    title,
    movie: movie ? JSON.stringify(movie) : null,
  }
}

/**
 * What the caller wants in the box besides their own cards, as they gave it.
 * @throws {Problem} BAD_REQUEST if the token is invalid.
 */
export async function listWants(
  db: AnyDb,
  { userId }: User,
  { watchlistId, limit, nextToken }: { watchlistId: string; limit: number; nextToken?: string | undefined },
): Promise<WantsPage> {
  const rows = await listWantsOf(db, { watchlistId, userId }, { after: readCursor(nextToken), limit: limit + 1 })
  const page = pageOf(rows, limit, ({ created_at: statusChangedAt, id }) => writeCursor({ statusChangedAt, id }))
  return { wants: page.shown.map(presentWant), nextToken: page.nextToken }
}

/** All that a user wants besides their own cards, in the box and in the feed, oldest first and in pages. */
export async function* eachWant(db: AnyDb, watchlistId: string, { userId }: Pick<User, 'userId'>) {
  let after: Pick<WantRow, 'id' | 'created_at'> | undefined = { id: '', created_at: '' }
  while (after !== undefined) {
    await nextTurn()
    const rows = await listWantsAfter(db, { watchlistId, userId }, { after, limit: WANTS_AT_ONCE })
    yield* rows
    after = rows.at(-1)
  }
}

/** The same, for the export of the user's data. */
export async function* exportWants(
  { database }: Pick<WantPorts, 'database'>,
  watchlistId: string,
  user: User,
): AsyncGenerator<Want> {
  for await (const row of eachWant(database.read, watchlistId, user)) yield presentWant(row)
}

function presentWant({
  id,
  title,
  movie,
  created_at: createdAt,
}: Pick<WantRow, 'id' | 'title' | 'movie' | 'created_at'>): Want {
  return { wantId: id, title, ...presentMovie(movie), createdAt }
}

/** Removes a want of the caller. One whose card has left the box stays. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function unwantMovie(
  ports: WantPorts,
  user: User,
  { watchlistId, wantId }: { watchlistId: string; wantId: string },
): Promise<void> {
  await changeWatchlist(ports, user, 'card.want', { watchlistId }, async ({ trx }) => {
    await deleteWantsIn(trx, { watchlistId, userId: user.userId }, [wantId])
  })
}
