import { useLayoutEffect } from 'react'

/** Of the element with what this device showed last. It is in front of the app while that starts. */
export const LAST_SCREEN_ID = 'last-screen'

let placeholders = 0

/** Part of a placeholder: what this device showed last stays in front of it, and goes with the last placeholder. */
export function BehindLastScreen(): null {
  useLayoutEffect(() => {
    placeholders += 1
    return () => {
      placeholders -= 1
      // One placeholder may replace another in the same change of the document.
      queueMicrotask(() => {
        if (placeholders === 0) endLastScreen()
      })
    }
  }, [])
  return null
}

/** Above all placeholders of the app: without any, what this device showed last goes with the first change of the document. */
export function useLastScreenEnd(): void {
  useLayoutEffect(() => {
    if (placeholders === 0) endLastScreen()
  }, [])
}

/** Whether the user sees what this device showed last. */
export function isLastScreenShown(): boolean {
  return lastScreen() !== null
}

export function endLastScreen(): void {
  lastScreen()?.remove()
}

function lastScreen(): Element | null {
  return document.querySelector(`#${LAST_SCREEN_ID}`)
}
