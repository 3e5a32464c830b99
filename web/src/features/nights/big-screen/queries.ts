import { SCREEN_ENDPOINTS } from '@marquee/contract/endpoints/screens'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import type { Call } from '#web/api/caller.ts'

/** A night as the big screen shows it, to the user or to the holder of a pass. */
export const nightScreen = (nightId: string, callAs: Call = call) =>
  queryOptions({
    queryKey: ['night-screen', nightId],
    queryFn: async ({ signal }) => callAs(SCREEN_ENDPOINTS.getNightScreen, { params: { nightId }, signal }),
    // A draw that was given up sends no event, and neither does a lost connection.
    refetchInterval: ({ state }) => (state.data?.isDrawing === true ? 5_000 : 15_000),
  })
