import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

import { to } from '#web/paths.ts'

/**
 * Moves the focus to where a screen begins when the user has come to it from another one, so that the change is read
 * out and Tab goes on from there; a screen that takes the focus itself keeps it. `/` is no screen, only a way to one.
 */
export function useArrivalFocus(target: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const shown = useRef<string>(undefined)

  useEffect(() => {
    if (pathname === to.home() || pathname === shown.current) return
    const isFirst = shown.current === undefined
    shown.current = pathname
    if (isFirst) return
    // A menu that was just closed hands the focus back to its button before.
    requestAnimationFrame(() => {
      if (target.current?.contains(document.activeElement) !== true) target.current?.focus({ preventScroll: true })
    })
  }, [pathname, target])
}
