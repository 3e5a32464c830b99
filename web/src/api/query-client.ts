import { onlineManager, QueryClient } from '@tanstack/react-query'

import { connection } from './connection.ts'

/**
 * An empty cache of what the server says to one user. Retries are the caller's (api/retry), so the cache adds none.
 * Without a network a query or a change fails at once and says so, instead of waiting unseen; queries refetch when the
 * server is in reach again.
 */
export function createQueryClient(): QueryClient {
  onlineManager.setEventListener((setOnline) =>
    connection.subscribe(() => setOnline(connection.current() === 'online')),
  )
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 30_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
