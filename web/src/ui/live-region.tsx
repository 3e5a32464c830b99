import { useEffect, useSyncExternalStore } from 'react'

let text = ''
const listeners = new Set<() => void>()

function say(next: string): void {
  text = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Announces a change to screen readers, if a LiveRegion is shown. */
export function announce(news: string): void {
  // A repeated text is announced only if it differs.
  say(news === text ? `${news}\u00A0` : news)
}

/** The invisible region that `announce` writes to. Once per screen, and present from the start. */
export function LiveRegion() {
  const news = useSyncExternalStore(subscribe, () => text)
  useEffect(() => () => say(''), [])
  return <output className="sr-only">{news}</output>
}
