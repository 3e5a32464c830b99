import type { AnyDb } from '@marquee/platform/database/database'
import { inParts } from '@marquee/platform/database/parts'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { type ComparedMovie, idKeysOf, isMovieOf, keysOf } from './match.ts'
import { findMovies, findNamed, listServerRows, type ReadList, type ServerRow } from './store.ts'

/** This many cards are compared in a few milliseconds. */
const SLICE = 250

/** That a server has a movie, and under which id. */
export type FoundCopy = { readonly row: ServerRow; readonly itemId: string }

type Listed = ServerRow & { readonly list_id: string }

/** The servers of a watchlist that have the movies of some cards, by the id of the card. */
export async function findCopies(
  db: AnyDb,
  watchlistId: string,
  cards: readonly ComparedMovie[],
): Promise<Map<string, FoundCopy[]>> {
  const copies = new Map<string, FoundCopy[]>()
  const servers = (await listServerRows(db, watchlistId)).filter((row): row is Listed => row.list_id !== null)
  if (servers.length === 0) return copies
  let isFirst = true
  for (const slice of inParts(cards, SLICE)) {
    if (!isFirst) await nextTurn()
    isFirst = false
    for (const [cardId, found] of await compare(db, watchlistId, servers, slice)) copies.set(cardId, found)
  }
  return copies
}

/** Those of some cards whose movie is in one of the lists. */
export async function findListed(
  db: AnyDb,
  watchlistId: string,
  { lists: readLists, cards }: { readonly lists: readonly ReadList[]; readonly cards: readonly ComparedMovie[] },
): Promise<Set<string>> {
  const lists = readLists.map(({ listId }) => listId)
  // Plain titles take longer than all else here, and most servers have an id of each movie.
  const keysOfCard = readLists.some(({ hasTitles }) => hasTitles) ? keysOf : idKeysOf
  const keysOfCards = cards.map((card) => [card, keysOfCard(card)] as const)
  const keys = [...new Set(keysOfCards.flatMap(([, own]) => own))]
  const named = Map.groupBy(await findNamed(db, watchlistId, { lists, keys }), ({ movie_key: key }) => key)
  const isListed = ([card, own]: (typeof keysOfCards)[number]) =>
    own.some((key) => named.get(key)?.some((movie) => isMovieOf(card, movie)) === true)
  return new Set(keysOfCards.filter(isListed).map(([{ cardId }]) => cardId))
}

async function compare(
  db: AnyDb,
  watchlistId: string,
  servers: readonly Listed[],
  cards: readonly ComparedMovie[],
): Promise<(readonly [string, FoundCopy[]])[]> {
  const keysOfCards = cards.map((card) => [card, keysOf(card)] as const)
  const keys = [...new Set(keysOfCards.flatMap(([, own]) => own))]
  const lists = servers.map(({ list_id: list }) => list)
  const named = Map.groupBy(await findMovies(db, watchlistId, { lists, keys }), ({ movie_key: key }) => key)
  return keysOfCards.flatMap(([card, own]) => {
    const movies = own.flatMap((key) => (named.get(key) ?? []).filter((movie) => isMovieOf(card, movie)))
    const found = servers.flatMap((row) => {
      const movie = movies.find(({ list_id: list }) => list === row.list_id)
      return movie ? [{ row, itemId: movie.item_id }] : []
    })
    return found.length > 0 ? [[card.cardId, found] as const] : []
  })
}
