import { type RefObject, useLayoutEffect, useRef } from 'react'

const MOST_FRAMES = 30

/**
 * Moves the focus as soon as it can be taken: what was just closed or removed is still there for a frame or two, an
 * open dialog lets nothing else have the focus, and hands it back when it closes.
 */
export function focusSoon(
  target: RefObject<HTMLElement | null>,
  options: FocusOptions = {},
  framesLeft = MOST_FRAMES,
): void {
  requestAnimationFrame(() => {
    target.current?.focus(options)
    const isThere = target.current !== null && document.activeElement === target.current
    if (!isThere && framesLeft > 1) focusSoon(target, options, framesLeft - 1)
  })
}

/** Gives a ref: calls back if its element leaves the page with the focus in it. */
export function useFocusLost(onFocusLost: () => void): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element?.contains(document.activeElement) === true) onFocusLost()
    }
  }, [onFocusLost])
  return ref
}
