import type { RefObject } from 'react'

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
