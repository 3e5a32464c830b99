import { ENDPOINTS } from '@marquee/contract/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

import { readByCard } from '../by-card.ts'

const readAvailability = readByCard(async (watchlistId, cardIds) => {
  const query = { cards: cardIds.join(',') }
  return (await call(ENDPOINTS.listAvailability, { params: { watchlistId }, query })).cards
})

type Place = { watchlistId: string; cardId: string; country: string | undefined }

/** Where the movie of a card can be watched; null if it is not known. */
export const availabilityOfCard = ({ country, ...place }: Place) =>
  queryOptions({
    queryKey: ['availability', place.watchlistId, country, place.cardId],
    queryFn: async () => readAvailability(place),
  })
