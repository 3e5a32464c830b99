import type { AnyDb } from '@marquee/platform/database/database'
import { inParts } from '@marquee/platform/database/parts'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { type ComparedMovie, isMovieOf, keysOf } from './match.ts'
import { findMovies, listServerRows, type ServerRow } from './store.ts'

/** So many cards are compared in a few milliseconds. */
const SLICE = 250

/** That a server has a movie, and under which id. */
export type FoundCopy = { readonly row: ServerRow; readonly itemId: string }

/** Finds the servers of one watchlist that have the movies of some cards, by the id of the card. */
export type CopyFinder = (cards: readonly ComparedMovie[]) => Promise<Map<string, FoundCopy[]>>

type Listed = ServerRow & { readonly list_id: string }

/** Undefined if no server of the watchlist has been read. */
export async function openCopies(db: AnyDb, watchlistId: string): Promise<CopyFinder | undefined> {
  const servers = (await listServerRows(db, watchlistId)).filter((row): row is Listed => row.list_id !== null)
  if (servers.length === 0) return undefined
  return async (cards) => {
    const copies = new Map<string, FoundCopy[]>()
    let isFirst = true
    for (const slice of inParts(cards, SLICE)) {
      if (!isFirst) await nextTurn()
      isFirst = false
      for (const [cardId, found] of await compare(db, watchlistId, servers, slice)) copies.set(cardId, found)
    }
    return copies
  }
}

/** The servers of a watchlist that have the movies of some cards, by the id of the card. */
export async function findCopies(
  db: AnyDb,
  watchlistId: string,
  cards: readonly ComparedMovie[],
): Promise<Map<string, FoundCopy[]>> {
  const find = await openCopies(db, watchlistId)
  return (await find?.(cards)) ?? new Map<string, FoundCopy[]>()
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
