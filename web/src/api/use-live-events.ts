import { useEffect, useEffectEvent } from 'react'

import type { LiveListener } from './live-stream.ts'
import { watchLive } from './live.ts'

/** Hears what happens in a watchlist while the caller is shown (design section 4, "Live"). */
export function useLiveEvents(watchlistId: string, listener: Partial<LiveListener>): void {
  const onEvent = useEffectEvent<LiveListener['onEvent']>((event) => listener.onEvent?.(event))
  const onOpen = useEffectEvent<LiveListener['onOpen']>((askedAt) => listener.onOpen?.(askedAt))
  const onGone = useEffectEvent<LiveListener['onGone']>(() => listener.onGone?.())
  useEffect(() => watchLive(watchlistId, { onEvent, onOpen, onGone }), [watchlistId])
}
