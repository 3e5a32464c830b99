import type { BodyInput } from '@marquee/contract/endpoints'
import { VIEWING_ENDPOINTS } from '@marquee/contract/endpoints/viewings'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { newIdempotencyKey } from '#web/api/idempotency.ts'
import { KEPT } from '#web/api/kept.ts'
import { changeKey, stopReading } from '#web/api/own-changes.ts'
import { perform } from '#web/offline/outbox/waiting.ts'

import { viewingsOfCard } from './queries.ts'

export type ViewingBody = BodyInput<typeof VIEWING_ENDPOINTS.saveViewing>

/** Marks the movie of a card as seen; without a body, as not seen. */
export function useSaveViewing(place: { watchlistId: string; cardId: string }, title: string) {
  const client = useQueryClient()
  const { queryKey } = viewingsOfCard(place)
  return useMutation({
    mutationKey: changeKey(place.watchlistId),
    mutationFn: async (body: ViewingBody | undefined) =>
      body === undefined
        ? call(VIEWING_ENDPOINTS.deleteViewing, { params: place })
        : perform({ kind: 'viewing', ...place, body }, { idempotencyKey: newIdempotencyKey(), title }),
    onSuccess: async (saved) => {
      if (saved === KEPT) return
      await stopReading(client, place.watchlistId, queryKey)
      if (saved === undefined) await client.invalidateQueries({ queryKey })
      else client.setQueryData(queryKey, saved)
    },
  })
}
