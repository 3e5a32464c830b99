import { QueryClient } from '@tanstack/react-query'

/**
 * An empty cache of what the server says to one user. Retries are the caller's (api/retry), so the cache adds none.
 * Without a network a query or a change fails at once and says so, instead of waiting unseen; queries refetch when the
 * network is back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 30_000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
