import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Fetches again what was fetched before a moment (milliseconds since 1970), and may have missed what happened since. What
 * is on its way anyway is waited for.
 */
export async function catchUp(client: QueryClient, queryKey: QueryKey, since: number): Promise<void> {
  await client.invalidateQueries(
    { queryKey, predicate: ({ state }) => state.dataUpdatedAt < since },
    { cancelRefetch: false },
  )
}
