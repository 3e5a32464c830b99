import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { MOVIE_REQUEST_ENDPOINTS } from '@marquee/contract/endpoints/movie-requests'
import type { Availability } from '@marquee/contract/entities/availability'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

import { readByCard } from '../by-card.ts'

const readAvailability = readByCard(async (watchlistId, cardIds) => {
  const query = { cards: cardIds.join(',') }
  return (await call(AVAILABILITY_ENDPOINTS.listAvailability, { params: { watchlistId }, query })).cards
})

type Place = { watchlistId: string; cardId: string; country: string | undefined }

/** Where the movie of a card can be watched; null if it is not known. */
export const availabilityOfCard = ({ country, ...place }: Place) =>
  queryOptions({
    queryKey: ['availability', place.watchlistId, country, place.cardId],
    queryFn: async () => readAvailability(place),
  })

/** Asks for the movie of a card. All places that show the card then say so. */
export function useAskForMovie({ watchlistId, cardId }: { watchlistId: string; cardId: string }) {
  const client = useQueryClient()
  const mutationKey = ['ask-for-movie', watchlistId, cardId]
  const ask = useMutation({
    mutationKey,
    mutationFn: async () => call(MOVIE_REQUEST_ENDPOINTS.askForMovie, { params: { watchlistId, cardId } }),
    // The movie may be there by now.
    onError: () => void client.invalidateQueries({ queryKey: ['availability'] }),
    onSuccess: ({ state }) => {
      client.setQueriesData<Availability | null>({ queryKey: ['availability'] }, (known) =>
        known?.cardId === cardId ? { ...known, request: state } : known,
      )
    },
  })
  return {
    ...ask,
    // A second click may come before the button is disabled.
    mutate: (options?: Parameters<typeof ask.mutate>[1]) => {
      if (client.isMutating({ mutationKey }) === 0) ask.mutate(undefined, options)
    },
  }
}
