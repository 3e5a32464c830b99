import { useEffect } from 'react'

/** Calls back when the user comes back to a page that the browser has kept as it was left. */
export function useRestored(onRestored: () => void): void {
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onRestored()
    }
    globalThis.addEventListener('pageshow', show)
    return () => globalThis.removeEventListener('pageshow', show)
  }, [onRestored])
}
