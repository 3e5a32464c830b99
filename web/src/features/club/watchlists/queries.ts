import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { call } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'

export const watchlistKeys = {
  list: () => ['watchlists', 'list'] as const,
  current: () => ['watchlists', 'current'] as const,
  detail: (watchlistId: string) => ['watchlists', 'detail', watchlistId] as const,
}

/** The watchlists the signed-in user is a member of. */
export const watchlistList = () =>
  queryOptions({
    queryKey: watchlistKeys.list(),
    queryFn: async ({ signal }) => call(WATCHLIST_ENDPOINTS.listWatchlists, { signal }),
  })

/**
 * The id of the current watchlist, null if there is none. The list is read at the same time: an older list may lack a
 * watchlist that another tab has created.
 */
export const currentWatchlist = () =>
  queryOptions({
    queryKey: watchlistKeys.current(),
    queryFn: async ({ client, signal }) => {
      const [watchlists, { currentWatchlistId: storedId }] = await Promise.all([
        client.query({ ...watchlistList(), staleTime: 0 }),
        call(WATCHLIST_ENDPOINTS.getCurrentWatchlist, { signal }),
      ])
      const currentId = chooseCurrent(watchlists, storedId)
      if (currentId !== null && currentId !== storedId) saveCurrent(currentId)
      return currentId
    },
  })

/** One watchlist. Until it arrives, the one in the list is shown. */
export const watchlistDetail = (watchlistId: string, client: QueryClient) =>
  queryOptions({
    queryKey: watchlistKeys.detail(watchlistId),
    queryFn: async ({ signal }) => call(WATCHLIST_ENDPOINTS.getWatchlist, { params: { watchlistId }, signal }),
    placeholderData: () =>
      client.getQueryData(watchlistList().queryKey)?.find((watchlist) => watchlist.id === watchlistId),
  })

let lastSave: Promise<unknown> = Promise.resolve()

/** Saves the current watchlist in the background, one save at a time, so that the last choice wins. */
function saveCurrent(watchlistId: string): void {
  lastSave = lastSave
    .then(async () => call(WATCHLIST_ENDPOINTS.setCurrentWatchlist, { body: { watchlistId } }))
    .catch((error: unknown) => logWarning('The current watchlist could not be saved', error))
}

/**
 * Makes the watchlist whose page is open the current one, if the user is a member. If another tab chooses a different one,
 * this tab takes it back when it next reads the choice: its switcher, home and page always agree.
 */
export function useOpenAsCurrent(watchlistId: string, isMember: boolean): void {
  const client = useQueryClient()
  const { data: watchlists } = useQuery({ ...watchlistList(), enabled: isMember })
  const { data: currentId } = useQuery({ ...currentWatchlist(), enabled: isMember })
  // A user who has just left or deleted the watchlist still sees its page for a moment.
  const isListed = watchlists?.some(({ id }) => id === watchlistId) ?? false
  useEffect(() => {
    if (!isListed || currentId === undefined || currentId === watchlistId) return
    client.setQueryData(currentWatchlist().queryKey, watchlistId)
    saveCurrent(watchlistId)
  }, [client, watchlistId, isListed, currentId])
}

/** The current watchlist: the stored one if it still exists, otherwise the first, otherwise none. */
export function chooseCurrent(watchlists: readonly Watchlist[], storedId: string | null): string | null {
  if (watchlists.some(({ id }) => id === storedId)) return storedId
  return watchlists[0]?.id ?? null
}

/** Whether a user is a member of a watchlist. */
export function isMemberOf({ members }: Watchlist, username: string): boolean {
  return members?.some((member) => isSameUser(member.username, username)) ?? false
}
