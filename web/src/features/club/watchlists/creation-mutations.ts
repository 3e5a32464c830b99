import type { BodyInput } from '@marquee/contract/endpoints'
import { EXPORT_ENDPOINTS } from '@marquee/contract/endpoints/exports'
import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, useCreation } from '#web/api/call.ts'
import type { OnProgress } from '#web/api/fetch-with-progress.ts'
import { useAttempt } from '#web/api/idempotency.ts'

import { currentWatchlist, watchlistDetail, watchlistKeys, watchlistList } from './queries.ts'

/** Creates a watchlist. */
export function useCreateWatchlist() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useCreation(WATCHLIST_ENDPOINTS.createWatchlist),
    onSuccess: (created: Watchlist) => showCreated(client, created),
  })
}

type Restore = { file: BodyInput<typeof EXPORT_ENDPOINTS.restoreWatchlist>; onProgress: OnProgress }

/** Creates a watchlist from an export. */
export function useRestoreWatchlist() {
  const client = useQueryClient()
  const attempt = useAttempt()
  return useMutation({
    mutationFn: async ({ file, onProgress }: Restore) =>
      attempt(JSON.stringify(file), async (idempotencyKey) =>
        call(EXPORT_ENDPOINTS.restoreWatchlist, { body: file, onProgress, idempotencyKey }),
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
