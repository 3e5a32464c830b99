import { useMutation } from '@tanstack/react-query'

import { isApiError } from './api-error.ts'
import { changeKey } from './own-changes.ts'

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
