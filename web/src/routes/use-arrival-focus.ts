import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

import { to } from '#web/paths.ts'

/**
 * Moves the focus to the start of a screen after a navigation, so that the change is read out and Tab continues from
 * there. A screen that takes the focus itself keeps it. `/` only redirects.
 */
export function useArrivalFocus(target: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const shown = useRef<string>(undefined)
  const actedAt = useRef<string>(undefined)

  useEffect(() => {
    const note = () => {
      actedAt.current = window.location.pathname
    }
    const events = ['pointerdown', 'keydown']
    for (const event of events) window.addEventListener(event, note, true)
    return () => {
      for (const event of events) window.removeEventListener(event, note, true)
    }
  }, [])

  useEffect(() => {
    if (pathname === to.home() || pathname === shown.current) return
    const isFirst = shown.current === undefined
    shown.current = pathname
    if (isFirst) return
    // A menu that closes returns the focus to its button first.
    requestAnimationFrame(() => {
      // A user who does something there already, such as opening a menu, has the focus there.
      const isBusy = actedAt.current === pathname
      actedAt.current = undefined
      if (isBusy) return
      if (target.current?.contains(document.activeElement) !== true) target.current?.focus({ preventScroll: true })
    })
  }, [pathname, target])
}
