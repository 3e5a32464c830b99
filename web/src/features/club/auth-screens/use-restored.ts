import { useEffect, useEffectEvent } from 'react'

/** Calls back when the user comes back to a page that the browser has kept as it was left. */
export function useRestored(onRestored: () => void): void {
  const restore = useEffectEvent(onRestored)
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) restore()
    }
    globalThis.addEventListener('pageshow', show)
    return () => globalThis.removeEventListener('pageshow', show)
  }, [])
}
