import type { WrittenContent } from '@marquee/contract/entities/card-content'
import type { Movie } from '@marquee/contract/entities/movie'
import type { CardStatus } from '@marquee/contract/entities/card'
import type { AnyDb } from '@marquee/platform/database/database'
import { textList } from '@marquee/platform/database/json'
import type { Sent } from '@marquee/platform/database/sent'

import type { User } from '../../../club/people/service.ts'
import { changeBoxCount, countIntoBox } from '../../../club/watchlists/service.ts'
import { movieKeys, titleKeys } from '../../same-movie/service.ts'
import { findOthersInBox, listSlots } from './box-store.ts'
import { deleteCards, listKnown, listKnownAmong, listRevealed, listUntouched } from '../card/bulk-store.ts'
import { keyRanges } from '../card/key-ranges.ts'
import { handOn, insertIntoSlots, type NewCard } from '../card/slots.ts'
import { changeStatus, moveSlot } from '../card/status-store.ts'
import { readMovie, withMovie } from '../card/store.ts'
import { deleteWantsIn, listWantsAmong } from '../card/want-store.ts'
import { eachWant } from './wants.ts'

/** A card that a member may know of. */
export type KnownCard = { id: string; title: string; movie: Movie | null; status: CardStatus }

const AT_ONCE = 500

/** The cards of a watchlist that a user may know of: those of the feed, and their own in the box. */
export async function* knownCards(
  db: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
): AsyncGenerator<KnownCard> {
  for await (const range of keyRanges(db, watchlistId, AT_ONCE)) {
    for (const row of await listKnown(db, { watchlistId, userId }, range)) yield withMovie(row)
  }
}

/** Those of the cards with these ids that a user may know of. */
export async function knownAmong(
  db: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  ids: readonly string[],
): Promise<KnownCard[]> {
  const rows = await listKnownAmong(db, { watchlistId, userId }, ids)
  return rows.map(withMovie)
}

/** What else a user wants in the box, as they gave it. */
export async function* knownWants(
  db: AnyDb,
  user: Pick<User, 'userId'>,
  watchlistId: string,
): AsyncGenerator<KnownCard> {
  for await (const want of eachWant(db, watchlistId, user)) yield* inBox([want])
}

/** Those of these wants whose cards are in the box. */
export async function knownWantsAmong(
  db: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  ids: readonly string[],
): Promise<KnownCard[]> {
  return inBox(await listWantsAmong(db, { watchlistId, userId }, ids))
}

function inBox(wants: Awaited<ReturnType<typeof listWantsAmong>>): KnownCard[] {
  return wants.flatMap(({ id, title, movie, isInBox }) =>
    isInBox ? [{ id, title, movie: readMovie(movie), status: 'SUGGESTED' as const }] : [],
  )
}

/** The cards in the box that others added and that may be of these movies. Only for decisions that do not show them. */
export async function othersInBox(
  db: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  movies: readonly Pick<WrittenContent, 'title' | 'movie'>[],
): Promise<Pick<KnownCard, 'id' | 'title' | 'movie'>[]> {
  const keys = {
    movieKeys: movies.flatMap(({ movie }) => movieKeys(movie?.ids ?? {})),
    titleKeys: movies.flatMap(({ title, movie }) => [...titleKeys(title), ...titleKeys(movie?.originalTitle ?? title)]),
  }
  const cards = await findOthersInBox(db, { watchlistId, userId }, keys)
  return cards.map(withMovie)
}

/**
 * Puts cards without a poster into the last slots of the box, in a transaction that holds the watchlist. The caller records
 * `box.changed`.
 */
export async function addToBox(
  trx: AnyDb,
  user: User,
  watchlistId: string,
  cards: readonly NewCard[],
  at: string,
): Promise<void> {
  if (cards.length === 0) return
  const boxCount = await changeBoxCount(trx, watchlistId, cards.length)
  const firstSlot = boxCount - cards.length
  const placed = cards.map((card, index) => ({ ...card, slot: firstSlot + index }))
  await insertIntoSlots(trx, user, watchlistId, placed, at)
}

/**
 * Takes back what was added under these ids, in a transaction that holds the watchlist: a user's wants in the box, and their cards
 * that are in the box and unchanged since they were added. A card that another member wants becomes theirs. Returns whether
 * the box changed, and which ids are still cards or wants of the user.
 */
export async function removeFromBox(
  trx: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  ids: readonly string[],
): Promise<{ changesBox: boolean; kept: ReadonlySet<string> }> {
  const own = { watchlistId, userId }
  await deleteWantsIn(trx, own, ids)
  const untouched = await listUntouched(trx, own, ids)
  for (const { id, slot } of untouched.filter(({ isWanted }) => isWanted)) {
    await handOn(trx, { watchlistId, cardId: id, slot })
  }
  await deleteFromSlots(
    trx,
    watchlistId,
    untouched.filter(({ isWanted }) => !isWanted),
  )
  const kept = new Set((await listWantsAmong(trx, own, ids)).map(({ id }) => id))
  for (const { id } of await knownAmong(trx, own, watchlistId, ids)) kept.add(id)
  return { changesBox: untouched.length > 0, kept }
}

/** Deletes cards of the box. The cards of the last slots move into the gaps. */
async function deleteFromSlots(
  trx: AnyDb,
  watchlistId: string,
  cards: readonly { id: string; slot: number }[],
): Promise<void> {
  if (cards.length === 0) return
  await deleteCards(
    trx,
    watchlistId,
    cards.map(({ id }) => id),
  )
  const boxCount = await changeBoxCount(trx, watchlistId, -cards.length)
  const gaps = cards.map(({ slot }) => slot).filter((slot) => slot < boxCount)
  const behind = await listSlots(trx, watchlistId, boxCount)
  for (const [index, to] of gaps.entries()) await moveSlot(trx, { watchlistId, from: behind[index] ?? to, to })
}

/** A card that is revealed and not decided yet. */
export type RevealedCard = { readonly id: string; readonly changeCount: number }

/** Those of the cards that are revealed and not decided yet, in the given order. */
export async function onlyRevealed(
  db: AnyDb,
  watchlistId: string,
  cardIds: readonly string[],
): Promise<RevealedCard[]> {
  const rows = await listRevealed(db, { watchlistId, cardIds: textList(db, cardIds) })
  const revealed = new Map(rows.map((row) => [row.id, row]))
  return cardIds.flatMap((id) => revealed.get(id) ?? [])
}

/** Puts revealed cards back into the last slots of the box, in a transaction that holds the watchlist. */
export function putBackCards(
  trx: AnyDb,
  { watchlistId, cards, by, at, boxCount }: PutBack & { boxCount: number },
): Sent<unknown>[] {
  if (cards.length === 0) return []
  const change = { watchlistId, from: 'REVEALED', status: 'SUGGESTED', by, at } as const
  return [
    ...cards.map(({ id: cardId, changeCount }, n) =>
      changeStatus(trx, { ...change, cardId, changeCount, slot: boxCount + n }),
    ),
    countIntoBox(trx, watchlistId, cards.length),
  ]
}

type PutBack = { watchlistId: string; cards: readonly RevealedCard[]; by: string; at: string }
