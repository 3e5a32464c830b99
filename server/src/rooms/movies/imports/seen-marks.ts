import type { Movie } from '@marquee/contract/entities/movie'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import type { AnyDb } from '@marquee/platform/database/database'

import { cardsOfMovie, knownAmong, onlyInFeed } from '../cards/service.ts'
import { compareMovies } from '../same-movie/service.ts'
import { bringViewings, takeBackViewings } from '../viewings/service.ts'
import { joinMarks, type SeenMark } from './rows.ts'
import type { ImportRecord, RowRecord } from './store.ts'

/**
 * Marks the movies of rows as seen by their member: on the cards that the rows became, and on all other cards of the same
 * movies. A mark on another member's card in the box shows once the card is revealed. Returns the marked cards of the feed.
 */
export async function bringMarks(
  trx: AnyDb,
  { watchlist_id: watchlistId, user_id: userId, username, id: importId }: ImportRecord,
  { rows, cardIdOf }: { rows: readonly RowRecord[]; cardIdOf: (row: RowRecord) => string },
  at: string,
): Promise<string[]> {
  const user = { userId, username }
  const marks = new Map<string, SeenMark[]>()
  const inFeed = new Set<string>()
  const seen = rows.filter((row) => row.is_seen === 1)
  const here = new Map<string, boolean>()
  const hereIds = seen.flatMap((row) => (row.category === 'here' && row.match_card_id) || [])
  for (const { id, status } of await knownAmong(trx, user, watchlistId, hereIds)) here.set(id, !isInTheBox(status))

  const mark = (cardId: string, { seen_on: seenOn, half_stars: halfStars }: RowRecord, isInFeed: boolean): void => {
    marks.set(cardId, [...(marks.get(cardId) ?? []), { seenOn, halfStars }])
    if (isInFeed) inFeed.add(cardId)
  }
  for (const row of seen) {
    if (row.is_chosen === 1) mark(cardIdOf(row), row, false)
    if (row.category === 'unsure') continue
    const isInFeed = row.category === 'here' ? here.get(row.match_card_id ?? '') : undefined
    if (row.match_card_id !== null && isInFeed !== undefined) mark(row.match_card_id, row, isInFeed)
    const movie = { title: row.title, movie: JSON.parse(row.movie) as Movie }
    for (const card of await cardsOfMovie(trx, watchlistId, movie)) {
      // The card has a title of the row.
      if (compareMovies(movie, { title: row.title, movie: card.movie }) === 'same')
        mark(card.id, row, !isInTheBox(card.status))
    }
  }
  const brought = [...marks].flatMap(([cardId, own]) => ({ cardId, seenOn: null, halfStars: null, ...joinMarks(own) }))
  await bringViewings(trx, user, { watchlistId, importId, at }, brought)
  return [...inFeed]
}

/** Removes some of the marks that an import added. Returns their number, and the cards of the feed among theirs. */
export async function takeBackMarks(
  trx: AnyDb,
  { watchlist_id: watchlistId, user_id: userId, id: importId }: ImportRecord,
  limit: number,
): Promise<{ count: number; inFeed: string[] }> {
  const cardIds = await takeBackViewings(trx, { watchlistId, userId, importId }, limit)
  return { count: cardIds.length, inFeed: await onlyInFeed(trx, watchlistId, cardIds) }
}
