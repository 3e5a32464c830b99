import { useEffect, useEffectEvent } from 'react'

/** Long enough to read a sentence. */
const SHOWN_MS = 6_000

/** Forgets a success message after some seconds, so that it does not stay above the content. */
export function useBriefSuccess(isShown: boolean, forget: () => void): void {
  const end = useEffectEvent(forget)
  useEffect(() => {
    if (!isShown) return undefined
    const timer = setTimeout(() => end(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isShown])
}
