import { QueryClient } from '@tanstack/react-query'

/**
 * The cache of what the server said. Retries are the caller's (api/retry), so the cache adds none. Without a network a
 * query or a change fails at once and says so, instead of waiting unseen; queries refetch when the network is back.
 * Emptied when the signed-in user changes (session/session.ts).
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
