import type { LiveEvent } from '@marquee/contract/live-events'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

import { useLiveEvents } from './live.ts'
import { catchUp } from './own-changes.ts'

/** Reads queries again after each event of the watchlist that makes them stale, and after a lost connection. */
export function useReadAgain(
  watchlistId: string,
  queryKey: QueryKey,
  isStale: (kind: LiveEvent['kind']) => boolean,
): void {
  const client = useQueryClient()
  useLiveEvents(watchlistId, {
    onEvent: ({ kind }) => {
      if (isStale(kind)) void client.invalidateQueries({ queryKey })
    },
    onOpen: (moment) => void catchUp(client, queryKey, moment),
  })
}

/** A change after which queries are read again, also if it fails. It is pending until the first of them has been read. */
export function useChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  queryKey: QueryKey,
  ...others: readonly QueryKey[]
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      for (const other of others) void client.invalidateQueries({ queryKey: other })
      await client.invalidateQueries({ queryKey })
    },
  })
}
