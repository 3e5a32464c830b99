import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'

const STORAGE_KEY = 'marquee.scroll'

/** The scroll position of each history entry of this tab, by the entry's key and path. */
let positions: Record<string, number> | undefined

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

function keepPositions(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions))
  } catch {
    // A reload starts at the top.
  }
}

/**
 * Scrolls to a position as soon as the page is long enough, which it is not until its data has arrived.
 * @returns What ends the attempts.
 */
function returnTo(position: number): () => void {
  const observer = new ResizeObserver(() => {
    globalThis.scrollTo(0, position)
    if (Math.abs(globalThis.scrollY - position) <= 1) observer.disconnect()
  })
  globalThis.scrollTo(0, position)
  observer.observe(document.body)
  return () => observer.disconnect()
}

/**
 * A new page starts at the top, or at the target of the hash. Going back, going forward and reloading return to the
 * position that the user left. The router does this only together with its data loading, twice the size of the rest.
 */
export function useScrollRestoration(): void {
  const { key, pathname, hash } = useLocation()
  // The first page after each load of the app has the same key.
  const entry = `${key} ${pathname}`

  useEffect(() => {
    const takeOver = () => (history.scrollRestoration = 'manual')
    const leave = () => {
      history.scrollRestoration = 'auto'
      keepPositions()
    }
    takeOver()
    globalThis.addEventListener('pageshow', takeOver)
    globalThis.addEventListener('pagehide', leave)
    return () => {
      leave()
      globalThis.removeEventListener('pageshow', takeOver)
      globalThis.removeEventListener('pagehide', leave)
    }
  }, [])

  useLayoutEffect(() => {
    const known = (positions ??= readPositions())
    const target = hash === '' ? null : document.querySelector(`#${CSS.escape(hash.slice(1))}`)
    const position = known[entry]
    if (position === undefined) {
      if (target === null) globalThis.scrollTo(0, 0)
      else target.scrollIntoView()
    }
    const stopReturning = position === undefined ? () => {} : returnTo(position)
    let isReturning = position !== undefined
    const note = () => {
      if (!isReturning || globalThis.scrollY === position) known[entry] = globalThis.scrollY
    }
    const noteOwn = () => {
      stopReturning()
      isReturning = false
    }
    const events = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
    globalThis.addEventListener('scroll', note, { passive: true })
    for (const event of events) globalThis.addEventListener(event, noteOwn, { passive: true })
    return () => {
      stopReturning()
      globalThis.removeEventListener('scroll', note)
      for (const event of events) globalThis.removeEventListener(event, noteOwn)
    }
  }, [entry, hash])
}
