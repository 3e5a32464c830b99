import { type ReactNode, useEffect, useEffectEvent } from 'react'

import { Banner } from './banner.tsx'

/** Long enough to read a sentence. */
const SHOWN_MS = 6_000

type BriefSuccessProps = {
  /** The message was shown long enough. The next one has another key. */
  onEnd: () => void
  children: ReactNode
}

/** A success message that leaves after some seconds, because the page itself shows what was done. */
export function BriefSuccess({ onEnd, children }: BriefSuccessProps) {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const timer = setTimeout(() => end(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return <Banner tone="success">{children}</Banner>
}
