import { ENDPOINTS } from '@marquee/contract/endpoints'
import { useEffect, useEffectEvent } from 'react'

import { features } from '#web/config.ts'
import { session } from '#web/session/session.ts'

import { holdLiveStream, type LiveListener, type LiveStreamPorts } from './live-stream.ts'
import { waitOnTimer } from './retry.ts'

/** A page that is hidden for so long is not in use. */
const OUT_OF_SIGHT_MS = 10_000

/**
 * Runs something while the page is visible: it starts when the page is shown, ends some time after it is hidden or at
 * once when it is suspended, and restarts when the network is back. A browser opens six connections to a server over
 * HTTP/1.1, for all tabs together, so hidden tabs must not hold one. Returns a function that ends it.
 */
export function whileSeen(start: () => () => void): () => void {
  let stop: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    clearTimeout(timer)
    stop?.()
    stop = undefined
  }
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') stop ??= start()
    else if (stop !== undefined) timer = setTimeout(end, OUT_OF_SIGHT_MS)
  }
  const startAnew = () => {
    end()
    look()
  }

  document.addEventListener('visibilitychange', look)
  globalThis.addEventListener('pageshow', look)
  globalThis.addEventListener('pagehide', end)
  globalThis.addEventListener('online', startAnew)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    globalThis.removeEventListener('pageshow', look)
    globalThis.removeEventListener('pagehide', end)
    globalThis.removeEventListener('online', startAnew)
    end()
  }
}

/** Subscribes to the events of a watchlist. Returns a function that unsubscribes. */
type WatchLive = (watchlistId: string, listener: LiveListener) => () => void

const ports: LiveStreamPorts = {
  fetch: async (...request) => globalThis.fetch(...request),
  wait: waitOnTimer,
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  allowsGuests: () => features().guests,
  now: () => new Date().getTime(),
  session,
}

/** Subscribers of the same watchlist share one stream. */
function createLive(use: LiveStreamPorts): WatchLive {
  const rooms = new Map<string, { listeners: Set<LiveListener>; close: () => void }>()

  function open(watchlistId: string) {
    const listeners = new Set<LiveListener>()
    const tell = (what: (listener: LiveListener) => void) => {
      for (const listener of listeners) what(listener)
    }
    const url = `/api${ENDPOINTS.watchlistEvents.path.replace(':watchlistId', encodeURIComponent(watchlistId))}`
    const close = whileSeen(() => {
      const leave = new AbortController()
      const everyone: LiveListener = {
        onEvent: (event) => tell(({ onEvent }) => onEvent(event)),
        onOpen: (askedAt) => tell(({ onOpen }) => onOpen(askedAt)),
        onGone: () => tell(({ onGone }) => onGone()),
      }
      void holdLiveStream(use, url, everyone, leave.signal)
      return () => leave.abort()
    })
    return { listeners, close }
  }

  return (watchlistId, listener) => {
    const room = rooms.get(watchlistId) ?? open(watchlistId)
    rooms.set(watchlistId, room)
    room.listeners.add(listener)
    return () => {
      room.listeners.delete(listener)
      if (room.listeners.size > 0) return
      rooms.delete(watchlistId)
      room.close()
    }
  }
}

const watchLive = createLive(ports)

/** Subscribes to the events of a watchlist while the caller is mounted. */
export function useLiveEvents(watchlistId: string, listener: Partial<LiveListener>): void {
  const onEvent = useEffectEvent<LiveListener['onEvent']>((event) => listener.onEvent?.(event))
  const onOpen = useEffectEvent<LiveListener['onOpen']>((askedAt) => listener.onOpen?.(askedAt))
  const onGone = useEffectEvent<LiveListener['onGone']>(() => listener.onGone?.())
  useEffect(() => watchLive(watchlistId, { onEvent, onOpen, onGone }), [watchlistId])
}
