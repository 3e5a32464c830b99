import type { BodyInput } from '@marquee/contract/endpoints'
import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'
import { useAttempt } from '#web/api/idempotency.ts'

import { chooseCurrent, currentWatchlist, watchlistDetail, watchlistKeys, watchlistList } from './queries.ts'

/** Creates a watchlist. */
export function useCreateWatchlist() {
  const client = useQueryClient()
  const attempt = useAttempt()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof WATCHLIST_ENDPOINTS.createWatchlist>) =>
      attempt(JSON.stringify(body), async (idempotencyKey) =>
        call(WATCHLIST_ENDPOINTS.createWatchlist, { body, idempotencyKey }),
      ),
    onSuccess: (created: Watchlist) => showCreated(client, created),
  })
}

type Restore = { file: BodyInput<typeof WATCHLIST_ENDPOINTS.restoreWatchlist>; onProgress: OnProgress }

/** Creates a watchlist from an export. */
export function useRestoreWatchlist() {
  const client = useQueryClient()
  const attempt = useAttempt()
  return useMutation({
    mutationFn: async ({ file, onProgress }: Restore) =>
      attempt(JSON.stringify(file), async (idempotencyKey) =>
        call(WATCHLIST_ENDPOINTS.restoreWatchlist, { body: file, onProgress, idempotencyKey }),
      ),
    onSuccess: (restored: Watchlist) => showCreated(client, restored),
  })
}

function showCreated(client: QueryClient, created: Watchlist): void {
  const known = client.getQueryData(watchlistList().queryKey)
  client.setQueryData(watchlistDetail(created.id, client).queryKey, created)
  client.setQueryData(watchlistList().queryKey, (list) => (list === undefined ? list : [...list, created]))
  if (known === undefined) void client.invalidateQueries({ queryKey: watchlistKeys.list() })
  showFirstAsCurrent(client, created)
}

/** The server has made the first watchlist of a user current. */
function showFirstAsCurrent(client: QueryClient, { id }: Watchlist): void {
  if (client.getQueryData(currentWatchlist().queryKey) !== null) return
  client.setQueryData(currentWatchlist().queryKey, id)
  // Another tab may have created one before.
  void client.invalidateQueries({ queryKey: watchlistKeys.current() })
}

/** Shows a changed watchlist everywhere. */
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
    mutationFn: async (body: BodyInput<typeof WATCHLIST_ENDPOINTS.updateWatchlist>) =>
      call(WATCHLIST_ENDPOINTS.updateWatchlist, { params: { watchlistId }, body }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

type ImageUpload = { imageData: string; signal: AbortSignal; onProgress: OnProgress }

/** Uploads an image (a data URL) for a watchlist. The list of watchlists is read again. */
export function useUploadImage(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ imageData, signal, onProgress }: ImageUpload) =>
      call(WATCHLIST_ENDPOINTS.uploadWatchlistImage, {
        params: { watchlistId },
        body: { imageData },
        signal,
        onProgress,
      }),
    onSuccess: (updated: Watchlist) => {
      showChanged(client, updated)
      void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    },
  })
}

/** Removes the image of a watchlist. The list of watchlists is read again. */
export function useRemoveImage(watchlist: Watchlist) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(WATCHLIST_ENDPOINTS.deleteWatchlistImage, { params: { watchlistId: watchlist.id } }),
    onSuccess: () => {
      showChanged(client, { ...watchlist, hasImage: false, fullImageUrl: null })
      void client.invalidateQueries({ queryKey: watchlistKeys.detail(watchlist.id) })
      void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    },
  })
}

/** Makes a watchlist private, or readable for everyone with its link. */
export function useSetPrivacy(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (isPrivate: boolean) =>
      call(WATCHLIST_ENDPOINTS.setWatchlistPrivacy, { params: { watchlistId }, body: { isPrivate } }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

/** Sets the country in which the members watch; none with null. */
export function useSetCountry(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    // Of two choices the later one is sent later, so that it stays.
    scope: { id: `country ${watchlistId}` },
    mutationFn: async (country: string | null) =>
      call(AVAILABILITY_ENDPOINTS.setCountry, { params: { watchlistId }, body: { country } }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
}

/** Makes another member the owner. */
export function useHandOver(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) =>
      call(WATCHLIST_ENDPOINTS.handOverWatchlist, { params: { watchlistId }, body: { username } }),
    onSuccess: (updated: Watchlist) => showChanged(client, updated),
  })
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
    mutationFn: async () => call(WATCHLIST_ENDPOINTS.deleteWatchlist, { params: { watchlistId } }),
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

/** Adds a watchlist that the user has joined to the list, if it is not there yet. */
export function useAddJoined(): (joined: Watchlist) => void {
  const client = useQueryClient()
  return (joined) => {
    client.setQueryData(watchlistDetail(joined.id, client).queryKey, joined)
    client.setQueryData(watchlistList().queryKey, (list) =>
      list === undefined || list.some(({ id }) => id === joined.id) ? list : [...list, joined],
    )
    void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    showFirstAsCurrent(client, joined)
  }
}
