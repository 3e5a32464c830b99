import { ENDPOINTS, type BodyInput } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'

import { chooseCurrent } from './choose-current.ts'

const watchlistKeys = {
  list: () => ['watchlists', 'list'] as const,
  current: () => ['watchlists', 'current'] as const,
  detail: (watchlistId: string) => ['watchlists', 'detail', watchlistId] as const,
}

/** The watchlists the signed-in user is a member of. */
export const watchlistList = () =>
  queryOptions({
    queryKey: watchlistKeys.list(),
    queryFn: async ({ signal }) => call(ENDPOINTS.listWatchlists, { signal }),
  })

/**
 * The id of the current watchlist, null if there is none. What the server remembers is held against a list as fresh as
 * itself: against an older one a watchlist made in another tab would seem to be gone.
 */
export const currentWatchlist = () =>
  queryOptions({
    queryKey: watchlistKeys.current(),
    queryFn: async ({ client, signal }) => {
      const [watchlists, { currentWatchlistId: storedId }] = await Promise.all([
        client.query({ ...watchlistList(), staleTime: 0 }),
        call(ENDPOINTS.getCurrentWatchlist, { signal }),
      ])
      const currentId = chooseCurrent(watchlists, storedId)
      if (currentId !== null && currentId !== storedId) saveCurrent(currentId)
      return currentId
    },
  })

/** One watchlist, also of those who only have its link. Until it arrives, what the list says of it. */
export const watchlistDetail = (watchlistId: string, client: QueryClient) =>
  queryOptions({
    queryKey: watchlistKeys.detail(watchlistId),
    queryFn: async ({ signal }) => call(ENDPOINTS.getWatchlist, { params: { watchlistId }, signal }),
    placeholderData: () =>
      client.getQueryData(watchlistList().queryKey)?.find((watchlist) => watchlist.id === watchlistId),
  })

/** Tells the server and does not wait for it; the choice holds on this screen in any case (spec section 7). */
function saveCurrent(watchlistId: string): void {
  call(ENDPOINTS.setCurrentWatchlist, { body: { watchlistId } }).catch((error: unknown) =>
    logWarning('The current watchlist could not be saved', error),
  )
}

function makeCurrent(client: QueryClient, watchlistId: string): void {
  // An answer that is on its way knows nothing of this choice.
  void client.cancelQueries({ queryKey: watchlistKeys.current() })
  client.setQueryData(currentWatchlist().queryKey, watchlistId)
  saveCurrent(watchlistId)
}

/** Makes a watchlist the current one. */
export function useSelectWatchlist(): (watchlistId: string) => void {
  const client = useQueryClient()
  return (watchlistId) => makeCurrent(client, watchlistId)
}

/** Makes a watchlist; the first one becomes current. */
export function useCreateWatchlist() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof ENDPOINTS.createWatchlist>) => call(ENDPOINTS.createWatchlist, { body }),
    onSuccess: (created: Watchlist) => {
      const known = client.getQueryData(watchlistList().queryKey)
      client.setQueryData(watchlistDetail(created.id, client).queryKey, created)
      client.setQueryData(watchlistList().queryKey, (list) => (list === undefined ? list : [...list, created]))
      if (known === undefined) void client.invalidateQueries({ queryKey: watchlistKeys.list() })
      else if (known.length === 0) makeCurrent(client, created.id)
    },
  })
}

/** Changes name and description of a watchlist, everywhere it is shown. */
export function useUpdateWatchlist(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof ENDPOINTS.updateWatchlist>) =>
      call(ENDPOINTS.updateWatchlist, { params: { watchlistId }, body }),
    onSuccess: (updated: Watchlist) => {
      client.setQueryData(watchlistDetail(watchlistId, client).queryKey, updated)
      client.setQueryData(watchlistList().queryKey, (list) =>
        list?.map((watchlist) => (watchlist.id === updated.id ? updated : watchlist)),
      )
    },
  })
}
