import { type BodyInput, ENDPOINTS } from '@marquee/contract/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { changeKey, stopReading } from '#web/api/own-changes.ts'

import { viewingsOfCard } from './queries.ts'

export type ViewingBody = BodyInput<typeof ENDPOINTS.saveViewing>

/** Marks the movie of a card as seen; without a body, as not seen. */
export function useSaveViewing(place: { watchlistId: string; cardId: string }) {
  const client = useQueryClient()
  const { queryKey } = viewingsOfCard(place)
  return useMutation({
    mutationKey: changeKey(place.watchlistId),
    mutationFn: async (body: ViewingBody | undefined) =>
      body === undefined
        ? call(ENDPOINTS.deleteViewing, { params: place })
        : call(ENDPOINTS.saveViewing, { params: place, body }),
    onSuccess: async (saved) => {
      await stopReading(client, place.watchlistId, queryKey)
      if (saved === undefined) await client.invalidateQueries({ queryKey })
      else client.setQueryData(queryKey, saved)
    },
  })
}
