import { useDeferredValue, useState } from 'react'

let isAppStarting = false

/** Whether the first screen is about to be rendered. Later, what is there from the start is there because the user comes back. */
export function setAppStarting(isStarting: boolean): void {
  isAppStarting = isStarting
}

/**
 * Becomes true in a deferred render after `isLoaded`. Large content then mounts in slices, not in the long task in which
 * its data came. Content that is there from the start, because the user comes back to it, is shown at once: otherwise the page
 * would be too short for the position that the user left. With `afterAppStart`, the rest of the first screen comes before it.
 */
export function useGentleStart(isLoaded: boolean, { afterAppStart = false } = {}): boolean {
  const [wasLoaded] = useState(isLoaded && !(afterAppStart && isAppStarting))
  return useDeferredValue(isLoaded, wasLoaded) && isLoaded
}
