import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'

import { showChanged } from './mutations.ts'
import { chooseCurrent, currentWatchlist, watchlistKeys, watchlistList } from './queries.ts'

/** Changes a setting; the watchlist is then shown as the server has it. */
function useSetting<Value>(
  watchlistId: string,
  set: (params: { watchlistId: string }, value: Value) => Promise<Watchlist>,
  scope?: { id: string },
) {
  const client = useQueryClient()
  return useMutation({
    ...(scope && { scope }),
    mutationFn: async (value: Value) => set({ watchlistId }, value),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

/** Makes a watchlist private, or readable for everyone with its link. */
export function useSetPrivacy(watchlistId: string) {
  return useSetting(watchlistId, async (params, isPrivate: boolean) =>
    call(WATCHLIST_ENDPOINTS.setWatchlistPrivacy, { params, body: { isPrivate } }),
  )
}

/** Sets the country in which the members watch; none with null. */
export function useSetCountry(watchlistId: string) {
  return useSetting(
    watchlistId,
    async (params, country: string | null) => call(AVAILABILITY_ENDPOINTS.setCountry, { params, body: { country } }),
    // Of two choices the later one is sent later, so that it stays.
    { id: `country ${watchlistId}` },
  )
}

/** Makes another member the owner. */
export function useHandOver(watchlistId: string) {
  return useSetting(watchlistId, async (params, username: string) =>
    call(WATCHLIST_ENDPOINTS.handOverWatchlist, { params, body: { username } }),
  )
}

/** Removes another member. */
export function useRemoveMember(watchlist: Watchlist) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) =>
      call(WATCHLIST_ENDPOINTS.removeMember, { params: { watchlistId: watchlist.id, username } }),
    onSuccess: (_, username) => {
      const members = watchlist.members?.filter((member) => !isSameUser(member.username, username)) ?? null
      showChanged(client, { ...watchlist, members })
      void client.invalidateQueries({ queryKey: watchlistKeys.detail(watchlist.id) })
    },
  })
}

/** The signed-in user leaves a watchlist. */
export function useLeaveWatchlist(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) =>
      call(WATCHLIST_ENDPOINTS.removeMember, { params: { watchlistId, username } }),
    onSuccess: () => forgetWatchlist(client, watchlistId),
  })
}

/** Deletes a watchlist for everyone. */
export function useDeleteWatchlist(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send(WATCHLIST_ENDPOINTS.deleteWatchlist, { watchlistId }),
    onSuccess: () => forgetWatchlist(client, watchlistId),
  })
}

/**
 * Removes a watchlist that was left or deleted from the list. If it was the current one, another becomes current. Its own
 * screen stays as it is, since the user is about to leave it.
 */
function forgetWatchlist(client: QueryClient, watchlistId: string): void {
  void client.cancelQueries({ queryKey: watchlistKeys.list() })
  void client.cancelQueries({ queryKey: watchlistKeys.current() })
  const rest = client.getQueryData(watchlistList().queryKey)?.filter(({ id }) => id !== watchlistId)
  if (rest === undefined) {
    void client.resetQueries({ queryKey: watchlistKeys.current() })
  } else {
    client.setQueryData(watchlistList().queryKey, rest)
    client.setQueryData(currentWatchlist().queryKey, (current) => chooseCurrent(rest, current ?? null))
    void client.invalidateQueries({ queryKey: watchlistKeys.current() })
  }
  void client.invalidateQueries({ queryKey: watchlistKeys.detail(watchlistId), refetchType: 'none' })
}
