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

/** Tells those who do not see the page what has just happened on it. Nothing is said while no LiveRegion is shown. */
export function announce(news: string): void {
  // The same words again are news only if they differ.
  say(news === text ? `${news}\u00A0` : news)
}

/** Where `announce` is heard: out of sight, shown once on a screen, and there before anything happens. */
export function LiveRegion() {
  const news = useSyncExternalStore(subscribe, () => text)
  useEffect(() => () => say(''), [])
  return <output className="sr-only">{news}</output>
}
