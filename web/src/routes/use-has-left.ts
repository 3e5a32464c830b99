import { useCallback, useState } from 'react'

/**
 * Whether the user has gone elsewhere while a screen waits. The next screen may still be loading, and this one stays until
 * then: what it does must not take the user back.
 */
export function useHasLeft(): () => boolean {
  const [here] = useState(() => window.location.pathname)
  return useCallback(() => window.location.pathname !== here, [here])
}
