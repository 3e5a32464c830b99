import { useCallback, useEffect, useRef } from 'react'

/** A page of a watchlist on which the user sees at once what happens there. */
export type SeenPage = { watchlistId: string; forMs: number }

/** The open page of this watchlist, and for how long the user has seen it; nothing while it is hidden. */
export function useSeenPage(watchlistId: string | undefined): () => SeenPage | undefined {
  const shownAt = useRef<number>(undefined)
  useEffect(() => {
    const update = () => {
      const isVisible = watchlistId !== undefined && document.visibilityState === 'visible'
      shownAt.current = isVisible ? (shownAt.current ?? performance.now()) : undefined
    }
    update()
    document.addEventListener('visibilitychange', update)
    return () => {
      document.removeEventListener('visibilitychange', update)
      shownAt.current = undefined
    }
  }, [watchlistId])
  return useCallback(() => {
    const since = shownAt.current
    if (watchlistId === undefined || since === undefined) return undefined
    return { watchlistId, forMs: Math.floor(performance.now() - since) }
  }, [watchlistId])
}
