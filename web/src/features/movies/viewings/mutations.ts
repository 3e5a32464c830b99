import type { BodyInput } from '@marquee/contract/endpoints'
import { VIEWING_ENDPOINTS } from '@marquee/contract/endpoints/viewings'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { newIdempotencyKey } from '#web/api/idempotency.ts'
import { KEPT } from '#web/api/kept.ts'
import { changeKey, stopReading } from '#web/api/own-changes.ts'
import { overtake } from '#web/offline/outbox/overtake.ts'
import { perform } from '#web/offline/outbox/waiting.ts'

import { viewingsOfCard } from './queries.ts'

export type ViewingBody = BodyInput<typeof VIEWING_ENDPOINTS.saveViewing>

type Place = { watchlistId: string; cardId: string }

/** A rating that waits would bring the mark back. */
async function removeViewing(place: Place): Promise<undefined> {
  await overtake(
    (action) => action.kind === 'viewing' && action.cardId === place.cardId && action.watchlistId === place.watchlistId,
  )
  await call(VIEWING_ENDPOINTS.deleteViewing, { params: place })
  return undefined
}

/** Marks the movie of a card as seen; without a body, as not seen. */
export function useSaveViewing(place: Place, title: string) {
  const client = useQueryClient()
  const { queryKey } = viewingsOfCard(place)
  return useMutation({
    mutationKey: changeKey(place.watchlistId),
    mutationFn: async (body: ViewingBody | undefined) =>
      body === undefined
        ? removeViewing(place)
        : perform({ kind: 'viewing', ...place, body }, { idempotencyKey: newIdempotencyKey(), title }),
    onSuccess: async (saved) => {
      if (saved === KEPT) return
      await stopReading(client, place.watchlistId, queryKey)
      if (saved === undefined) await client.invalidateQueries({ queryKey })
      else client.setQueryData(queryKey, saved)
    },
  })
}
