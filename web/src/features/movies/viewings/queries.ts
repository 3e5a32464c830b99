import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { CardViewings } from '@marquee/contract/entities/viewing'
import { MAX_PAGE_SIZE } from '@marquee/contract/limits'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

import { cardKeys } from '../queries.ts'

type CardPlace = { watchlistId: string; cardId: string }

/** The cards of a call that is about to be sent. */
type Batch = { watchlistId: string; cardIds: string[]; answer: Promise<ReadonlyMap<string, CardViewings>> }

let waiting: Batch | undefined

function newBatch(watchlistId: string): Batch {
  const cardIds: string[] = []
  const answer = new Promise((resolve) => {
    setTimeout(resolve)
  }).then(async () => {
    waiting = undefined
    const { cards } = await call(ENDPOINTS.listViewings, {
      params: { watchlistId },
      query: { cards: cardIds.join(',') },
    })
    return new Map(cards.map((card) => [card.cardId, card]))
  })
  return { watchlistId, cardIds, answer }
}

/** Cards that are shown at the same moment share one call. */
async function readViewings({ watchlistId, cardId }: CardPlace): Promise<CardViewings | null> {
  if (waiting?.watchlistId !== watchlistId || waiting.cardIds.length === MAX_PAGE_SIZE) waiting = newBatch(watchlistId)
  waiting.cardIds.push(cardId)
  return (await waiting.answer).get(cardId) ?? null
}

/** Who has seen the movie of a card; null if the card has left the feed. */
export const viewingsOfCard = (place: CardPlace) =>
  queryOptions({
    queryKey: cardKeys.viewings(place.watchlistId, place.cardId),
    queryFn: async () => readViewings(place),
  })
