import { onlineManager, QueryClient } from '@tanstack/react-query'

import { connection } from './connection.ts'

/**
 * An empty cache for one user. The cache does not retry, because calls do (api/retry). Without a network a query or a
 * change fails at once instead of waiting unseen. Queries refetch when the server is back.
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
