import { type Query, type QueryClient, type QueryKey, useMutation } from '@tanstack/react-query'

import { isApiError } from './api-error.ts'
import { KEPT, type Kept } from './kept.ts'
import { isReadSince, type Moment } from './read-times.ts'

/** The mutation key of optimistic changes of a watchlist. */
export function changeKey(watchlistId: string) {
  return ['change', watchlistId] as const
}

/** The mutation key of moves of cards in a watchlist, which are changes of it. */
export function moveKey(watchlistId: string) {
  return [...changeKey(watchlistId), 'move'] as const
}

/** The mutation key of creations in a watchlist. They may take long, and show when the server has answered. */
export function creationKey(watchlistId: string) {
  return ['creation', watchlistId] as const
}

/**
 * Waits until the server has answered all changes of these keys, or all changes without a key. A read meanwhile would
 * bring back what the change has replaced on the screen.
 */
export async function ownChangesAnswered(client: QueryClient, ...mutationKeys: readonly QueryKey[]): Promise<void> {
  const filters = mutationKeys.length === 0 ? [{}] : mutationKeys.map((mutationKey) => ({ mutationKey }))
  const isChanging = () => filters.some((filter) => client.isMutating(filter) > 0)
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
 * Reads while no change of this tab is under way. If one began during the read, the reply may be older than the change,
 * so it is read again.
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
    // The cache keeps answered changes for minutes, so a count that has not grown means that there was none.
    if (countChanges() <= before) return found
  }
}

/** Cancels the running reads of these queries before a change, and repeats them when every change is answered. */
export async function stopReading(client: QueryClient, watchlistId: string, queryKey: QueryKey): Promise<void> {
  const wasReading = client.isFetching({ queryKey }) > 0
  await client.cancelQueries({ queryKey })
  if (!wasReading) return
  void ownChangesAnswered(client, changeKey(watchlistId)).then(async () => client.invalidateQueries({ queryKey }))
}

/**
 * Reads again what was read before a moment or could not be read, and repeats reads that were under way then: the server may
 * have answered them before a missed event.
 */
export async function catchUp(client: QueryClient, queryKey: QueryKey, moment: Moment): Promise<void> {
  const isOld = (query: Query) =>
    !isReadSince(query, moment) || (query.state.fetchStatus === 'idle' && query.state.status === 'error')
  const begun = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  await client.invalidateQueries({ queryKey, predicate: isOld }, { cancelRefetch: false })
  await Promise.allSettled(begun.map(async ({ promise }) => promise))
  await client.invalidateQueries({ queryKey, predicate: (query) => begun.includes(query) && isOld(query) })
}

type OptimisticChange<Input, Reply> = {
  /** `changeKey` or `moveKey` of its watchlist. */
  mutationKey: QueryKey
  /** What is kept for later shows by itself. */
  send: (input: Input) => Promise<Reply | Kept>
  /** Cancels the reads whose replies would undo the change on the screen. */
  stopReading: () => Promise<void>
  /** Shows the change. Returns a function that restores what it has replaced, and no more: other changes stay. */
  show: (input: Input) => () => void
  /** Shows the reply of the server. */
  settle: (reply: Reply, input: Input) => void
  /** Reads again what the server has: a refusal means that the screen was out of date. */
  refresh: (input: Input) => void
}

/** A change of a watchlist that shows at once, and is rolled back if the server refuses it. */
export function useOptimisticChange<Input, Reply>(change: OptimisticChange<Input, Reply>) {
  const { mutationKey, send, stopReading, show, settle, refresh } = change
  return useMutation({
    mutationKey,
    mutationFn: send,
    onMutate: async (input) => {
      await stopReading()
      return show(input)
    },
    onSuccess: (reply, input, rollBack) => (reply === KEPT ? rollBack() : settle(reply, input)),
    onError: (error, input, rollBack) => {
      rollBack?.()
      // Without a network there is nothing to read.
      if (!isApiError(error, 'NETWORK_ERROR')) refresh(input)
    },
  })
}
