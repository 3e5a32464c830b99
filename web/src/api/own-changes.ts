import { type QueryClient, type QueryKey, useMutation } from '@tanstack/react-query'

import { isApiError } from './api-error.ts'

/** The mutation key of what this tab changes in a watchlist and shows before the server has said yes. */
export function changeKey(watchlistId: string) {
  return ['change', watchlistId] as const
}

/** The mutation key of what this tab creates in a watchlist, which may take long and is shown when the server has said yes. */
export function creationKey(watchlistId: string) {
  return ['creation', watchlistId] as const
}

/**
 * Waits until the server has answered every change of this key, or every change of this tab without one. What is told meanwhile may be our own doing, and fetching
 * now would bring back what the change has already replaced on the screen.
 */
export async function ownChangesAnswered(client: QueryClient, mutationKey?: QueryKey): Promise<void> {
  const isChanging = () => client.isMutating(mutationKey === undefined ? {} : { mutationKey }) > 0
  if (!isChanging()) return
  await new Promise<void>((resolve) => {
    const stop = client.getMutationCache().subscribe(() => {
      if (isChanging()) return
      stop()
      resolve()
    })
  })
}

/**
 * Reads something between two changes of our own: what was asked for before a change and answered after it would undo it
 * on the screen, so it is read again.
 */
export async function readBetweenChanges<T>(
  client: QueryClient,
  watchlistId: string,
  read: () => Promise<T>,
): Promise<T> {
  const mutationKey = changeKey(watchlistId)
  const countChanges = () => client.getMutationCache().findAll({ mutationKey }).length
  for (;;) {
    await ownChangesAnswered(client, mutationKey)
    const before = countChanges()
    const found = await read()
    // Answered changes are forgotten after minutes only, so a count that has not grown means that there was none.
    if (countChanges() <= before) return found
  }
}

/**
 * Called at the beginning of a change: gives up the reads that are on its way to these queries, and makes them again when
 * every change is answered.
 */
export async function stopReading(client: QueryClient, watchlistId: string, queryKey: QueryKey): Promise<void> {
  const wasReading = client.isFetching({ queryKey }) > 0
  await client.cancelQueries({ queryKey })
  if (!wasReading) return
  void ownChangesAnswered(client, changeKey(watchlistId)).then(async () => client.invalidateQueries({ queryKey }))
}

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

type OptimisticChange<Input, Reply> = {
  watchlistId: string
  send: (input: Input) => Promise<Reply>
  /** Gives up the reads whose replies would undo the change on the screen. */
  stopReading: () => Promise<void>
  /** Shows the change. Returns a function that restores what it has replaced, and no more: other changes stay. */
  show: (input: Input) => () => void
  /** Shows what the server made of it. */
  settle: (reply: Reply, input: Input) => void
  /** Reads again what the server has: a refusal means that the screen was out of date. */
  refresh: (input: Input) => void
}

/** A change of a watchlist that shows at once, and is rolled back if the server refuses it. */
export function useOptimisticChange<Input, Reply>(change: OptimisticChange<Input, Reply>) {
  const { watchlistId, send, stopReading, show, settle, refresh } = change
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: send,
    onMutate: async (input) => {
      await stopReading()
      return show(input)
    },
    onSuccess: settle,
    onError: (error, input, rollBack) => {
      rollBack?.()
      // Without a network there is nothing to read.
      if (!isApiError(error, 'NETWORK_ERROR')) refresh(input)
    },
  })
}
