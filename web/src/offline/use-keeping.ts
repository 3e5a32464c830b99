import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'

import { connection } from '#web/api/connection.ts'

import { keptSince, readAgain } from './kept-reads.ts'

/** The first screen is there by then, also in browsers that do not say when they are idle. */
const QUIET_MS = 1_500

/** Keeps what the user sees on this device, and reads it again when the connection is back. */
export function useKeeping(client: QueryClient, userId: string): void {
  useEffect(
    () =>
      connection.subscribe(() => {
        if (connection.current() === 'online') readAgain(client)
      }),
    [client],
  )
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    const timer = setTimeout(() => {
      import('./keeper.ts')
        .then(({ startKeeping }) => {
          if (!isOver) stop = startKeeping(client, userId)
        })
        .catch(() => undefined)
    }, QUIET_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      stop?.()
    }
  }, [client, userId])
}

/** When the oldest reply arrived that this screen shows from this device. Undefined if the server answered all of it. */
export function useKeptSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    oldestShown,
  )
}

/** The picture of a person may be old without a difference. */
function oldestShown(): number | undefined {
  const times = [...keptSince]
    .filter(([query]) => query.isActive() && query.queryKey[0] !== 'people')
    .map(([, at]) => at)
  return times.length === 0 ? undefined : Math.min(...times)
}
