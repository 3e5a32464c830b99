import { useDeferredValue } from 'react'

/**
 * Becomes true in a deferred render after `isLoaded`. Large content then mounts in slices, not in the long task in which
 * its data came.
 */
export function useGentleStart(isLoaded: boolean): boolean {
  return useDeferredValue(isLoaded, false) && isLoaded
}
