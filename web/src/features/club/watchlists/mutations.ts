import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'

import { watchlistDetail, watchlistKeys, watchlistList } from './queries.ts'

/** Shows a changed watchlist everywhere. */
export function showChanged(client: QueryClient, changed: Watchlist): void {
  client.setQueryData(watchlistDetail(changed.id, client).queryKey, changed)
  client.setQueryData(watchlistList().queryKey, (list) =>
    list?.map((watchlist) => (watchlist.id === changed.id ? changed : watchlist)),
  )
}

/** Changes name and description of a watchlist. */
export function useUpdateWatchlist(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send(WATCHLIST_ENDPOINTS.updateWatchlist, { watchlistId }),
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
    mutationFn: send(WATCHLIST_ENDPOINTS.deleteWatchlistImage, { watchlistId: watchlist.id }),
    onSuccess: () => {
      showChanged(client, { ...watchlist, hasImage: false, fullImageUrl: null })
      void client.invalidateQueries({ queryKey: watchlistKeys.detail(watchlist.id) })
      void client.invalidateQueries({ queryKey: watchlistKeys.list() })
    },
  })
}
