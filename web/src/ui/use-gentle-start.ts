import { useDeferredValue, useState } from 'react'

/**
 * Becomes true in a deferred render after `isLoaded`. Large content then mounts in slices, not in the long task in which
 * its data came. Content that is there from the start, because the user comes back to it, is shown at once: otherwise the page
 * would be too short for the position that the user left.
 */
export function useGentleStart(isLoaded: boolean): boolean {
  const [wasLoaded] = useState(isLoaded)
  return useDeferredValue(isLoaded, wasLoaded) && isLoaded
}
