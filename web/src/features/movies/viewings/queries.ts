import { VIEWING_ENDPOINTS } from '@marquee/contract/endpoints/viewings'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

import { readByCard } from '../by-card.ts'
import { cardKeys } from '../queries.ts'

const readViewings = readByCard(async (watchlistId, cardIds) => {
  const query = { cards: cardIds.join(',') }
  return (await call(VIEWING_ENDPOINTS.listViewings, { params: { watchlistId }, query })).cards
})

/** Who has seen the movie of a card; null if the card has left the feed. */
export const viewingsOfCard = (place: { watchlistId: string; cardId: string }) =>
  queryOptions({
    queryKey: cardKeys.viewings(place.watchlistId, place.cardId),
    queryFn: async () => readViewings(place),
  })
