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
    if (position !== undefined) globalThis.scrollTo(0, position)
    else if (target === null) globalThis.scrollTo(0, 0)
    else target.scrollIntoView()
    const note = () => (known[entry] = globalThis.scrollY)
    globalThis.addEventListener('scroll', note, { passive: true })
    return () => globalThis.removeEventListener('scroll', note)
  }, [entry, hash])
}
