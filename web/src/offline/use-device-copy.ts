import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'

import { keptSince } from './kept-since.ts'

/** The first screen is there by then. */
const QUIET_MS = 1_500

/** Keeps what the user sees on this device. */
export function useKeeping(client: QueryClient, userId: string): void {
  useEffect(() => {
    const end = new AbortController()
    const start = () => {
      import('./keeper.ts').then(({ startKeeping }) => startKeeping(client, userId, end.signal)).catch(() => undefined)
    }
    const timer = setTimeout(start, QUIET_MS)
    return () => {
      clearTimeout(timer)
      end.abort()
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
