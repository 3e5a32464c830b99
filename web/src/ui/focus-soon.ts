import type { RefObject } from 'react'

/**
 * Moves the focus once what was just closed or removed is gone: a dialog hands the focus back when it closes, and would
 * have the last word otherwise.
 */
export function focusSoon(target: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => target.current?.focus())
}
