import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import type { Call } from '#web/api/caller.ts'
import { WhereText } from '#web/features/movies/where/where-text.tsx'

export type NightWhereProps = {
  nightId: string
  cardId: string
  /** Who is there: others have other services. */
  present: readonly string[]
  /** For the holder of a pass. */
  callAs?: Call | undefined
}

export const nightAvailability = ({ nightId, cardId, present, callAs = call }: NightWhereProps) =>
  queryOptions({
    queryKey: ['availability', 'night', nightId, cardId, present],
    queryFn: async ({ signal }) => {
      const { cards } = await callAs(AVAILABILITY_ENDPOINTS.listNightAvailability, { params: { nightId }, signal })
      return cards.find((card) => card.cardId === cardId) ?? null
    },
  })

/** Where a movie drawn tonight can be watched, for those who are there. */
export function NightWhereLine(props: NightWhereProps) {
  const { data } = useQuery(nightAvailability(props))
  return data ? <WhereText where={data} /> : null
}
