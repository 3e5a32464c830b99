import { type RefCallback, useCallback } from 'react'

/** How far below the screen an element already counts as seen: a page then arrives before its end is reached. */
const AHEAD = '600px'

/** A ref: calls back when its element scrolls into view, and again for each new `onSeen` while it is in view. */
export function useWhenSeen(onSeen: () => void): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
        },
        { rootMargin: `0px 0px ${AHEAD}` },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [onSeen],
  )
}
