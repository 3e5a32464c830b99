import { useDeferredValue } from 'react'

/**
 * True from the first render after `isLoaded` that the browser may interrupt. What is large is mounted then, in slices,
 * instead of in the one long task in which its data came.
 */
export function useGentleStart(isLoaded: boolean): boolean {
  return useDeferredValue(isLoaded, false) && isLoaded
}
