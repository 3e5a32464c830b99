import { useSyncExternalStore } from 'react'
import { useTranslation } from './texts.ts'

import { agoText, momentText } from './dates.ts'

const TICK_MS = 60_000

let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  now = new Date()
  for (const listener of listeners) listener()
}

/** One clock for all times on the page; it runs only while there are any. Browsers slow it down in a hidden tab. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = new Date()
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

type RelativeTimeProps = {
  iso: string
  className?: string
  /** The sentence around it. */
  children?: (ago: string) => string
}

/** How long ago something was, kept up to date, with the exact time in its tooltip. */
export function RelativeTime({ iso, className, children = (ago) => ago }: RelativeTimeProps) {
  const { t } = useTranslation()
  const shownAt = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={iso} title={momentText(iso)} className={className}>
      {children(agoText(iso, shownAt) ?? t('justNow'))}
    </time>
  )
}
