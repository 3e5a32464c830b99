import type { QueryClient } from '@tanstack/react-query'

/** The mutation key of what this tab changes in a watchlist and shows before the server has said yes. */
export function changeKey(watchlistId: string) {
  return ['change', watchlistId] as const
}

/**
 * Waits until the server has answered everything this tab is changing in a watchlist. What is told of it meanwhile may be
 * our own doing, and fetching now would bring back what the change has already replaced on the screen.
 */
export async function ownChangesAnswered(client: QueryClient, watchlistId: string): Promise<void> {
  const isChanging = () => client.isMutating({ mutationKey: changeKey(watchlistId) }) > 0
  if (!isChanging()) return
  await new Promise<void>((resolve) => {
    const stop = client.getMutationCache().subscribe(() => {
      if (isChanging()) return
      stop()
      resolve()
    })
  })
}
