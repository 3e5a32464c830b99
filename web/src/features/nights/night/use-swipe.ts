import { type PointerEvent, useRef } from 'react'

const MIN_DISTANCE_PX = 48

type Swipe = { onNext: () => void; onPrevious: () => void }

/** Handlers for an element that a finger swipes to the next or previous page. The element needs `touch-pan-y`. */
export function useSwipe({ onNext, onPrevious }: Swipe) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      start.current = pointerType === 'mouse' ? undefined : { x: clientX, y: clientY }
    },
    onPointerUp: ({ clientX, clientY, currentTarget }: PointerEvent) => {
      if (start.current === undefined) return
      const [x, y] = [clientX - start.current.x, clientY - start.current.y]
      start.current = undefined
      if (Math.abs(x) < MIN_DISTANCE_PX || Math.abs(x) < 2 * Math.abs(y)) return
      const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
      if (x < 0 === isRightToLeft) onPrevious()
      else onNext()
    },
    // The browser scrolls instead.
    onPointerCancel: () => {
      start.current = undefined
    },
  }
}
