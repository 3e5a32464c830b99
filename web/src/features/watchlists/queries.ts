import { ENDPOINTS, type BodyInput } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'
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

let lastSave: Promise<unknown> = Promise.resolve()

/** Saves the current watchlist in the background. One save at a time, so that the server ends up with the last choice. */
function saveCurrent(watchlistId: string): void {
  lastSave = lastSave
    .then(async () => call(ENDPOINTS.setCurrentWatchlist, { body: { watchlistId } }))
    .catch((error: unknown) => logWarning('The current watchlist could not be saved', error))
}

/**
 * Makes the watchlist whose page is open the current one, if the user is a member. Another tab may choose a different
 * one: this tab claims it back when it next reads the choice, so its switcher, its home and its page always agree.
 */
export function useOpenAsCurrent(watchlistId: string, isMember: boolean): void {
  const client = useQueryClient()
  const { data: watchlists } = useQuery({ ...watchlistList(), enabled: isMember })
  const { data: currentId } = useQuery({ ...currentWatchlist(), enabled: isMember })
  // A user who has just left or deleted the watchlist still sees its page for a moment, but the list lacks it already.
  const isListed = watchlists?.some(({ id }) => id === watchlistId) ?? false
  useEffect(() => {
    if (!isListed || currentId === undefined || currentId === watchlistId) return
    client.setQueryData(currentWatchlist().queryKey, watchlistId)
    saveCurrent(watchlistId)
  }, [client, watchlistId, isListed, currentId])
}

/** Makes a watchlist. */
export function useCreateWatchlist() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof ENDPOINTS.createWatchlist>) => call(ENDPOINTS.createWatchlist, { body }),
    onSuccess: (created: Watchlist) => {
      const known = client.getQueryData(watchlistList().queryKey)
      client.setQueryData(watchlistDetail(created.id, client).queryKey, created)
      client.setQueryData(watchlistList().queryKey, (list) => (list === undefined ? list : [...list, created]))
      if (known === undefined) void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    },
  })
}

/** Shows a watchlist as it is now, everywhere it is shown. */
function showChanged(client: QueryClient, changed: Watchlist): void {
  client.setQueryData(watchlistDetail(changed.id, client).queryKey, changed)
  client.setQueryData(watchlistList().queryKey, (list) =>
    list?.map((watchlist) => (watchlist.id === changed.id ? changed : watchlist)),
  )
}

/** Changes name and description of a watchlist. */
export function useUpdateWatchlist(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof ENDPOINTS.updateWatchlist>) =>
      call(ENDPOINTS.updateWatchlist, { params: { watchlistId }, body }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

type ImageUpload = { imageData: string; signal: AbortSignal; onProgress: OnProgress }

/** Gives a watchlist an image, a data URL; the watchlists are reloaded afterwards (spec section 7). */
export function useUploadImage(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ imageData, signal, onProgress }: ImageUpload) =>
      call(ENDPOINTS.uploadWatchlistImage, { params: { watchlistId }, body: { imageData }, signal, onProgress }),
    onSuccess: (updated: Watchlist) => {
      showChanged(client, updated)
      void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    },
  })
}

/** Takes the image of a watchlist away; the watchlists are reloaded afterwards (spec section 7). */
export function useRemoveImage(watchlist: Watchlist) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(ENDPOINTS.deleteWatchlistImage, { params: { watchlistId: watchlist.id } }),
    onSuccess: () => {
      showChanged(client, { ...watchlist, hasImage: false, fullImageUrl: null })
      void client.invalidateQueries({ queryKey: watchlistKeys.detail(watchlist.id) })
      void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    },
  })
}

/** Says whether people who are not members may read the watchlist by its link. */
export function useSetPrivacy(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (isPrivate: boolean) =>
      call(ENDPOINTS.setWatchlistPrivacy, { params: { watchlistId }, body: { isPrivate } }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

/** Makes another member the owner. */
export function useHandOver(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) =>
      call(ENDPOINTS.handOverWatchlist, { params: { watchlistId }, body: { username } }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

/** Removes another member. */
export function useRemoveMember(watchlist: Watchlist) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) =>
      call(ENDPOINTS.removeMember, { params: { watchlistId: watchlist.id, username } }),
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
    mutationFn: async (username: string) => call(ENDPOINTS.removeMember, { params: { watchlistId, username } }),
    onSuccess: () => forgetWatchlist(client, watchlistId),
  })
}

/** Deletes a watchlist for everyone. */
export function useDeleteWatchlist(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(ENDPOINTS.deleteWatchlist, { params: { watchlistId } }),
    onSuccess: () => forgetWatchlist(client, watchlistId),
  })
}

/**
 * Takes a watchlist that was left or deleted out of what is shown; if it was the current one, another becomes current
 * (spec section 4). The screen of the watchlist itself is left as it is: whoever stands on it is about to go.
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

/** Adds a watchlist the user has joined, unless it is there already. */
export function useAddJoined(): (joined: Watchlist) => void {
  const client = useQueryClient()
  return (joined) => {
    client.setQueryData(watchlistDetail(joined.id, client).queryKey, joined)
    client.setQueryData(watchlistList().queryKey, (list) =>
      list === undefined || list.some(({ id }) => id === joined.id) ? list : [...list, joined],
    )
    void client.invalidateQueries({ queryKey: watchlistKeys.list() })
  }
}
