import { ENDPOINTS } from '@marquee/contract/endpoints'

import { features } from '#web/session/features.ts'
import { session } from '#web/session/session.ts'
import { holdLiveStream, type LiveListener, type LiveStreamPorts } from './live-stream.ts'
import { waitOnTimer } from './retry.ts'
import { whileSeen } from './while-seen.ts'

/** Tells a listener what happens in a watchlist; gives a function that ends it. */
export type WatchLive = (watchlistId: string, listener: LiveListener) => () => void

const ports: LiveStreamPorts = {
  fetch: async (...request) => globalThis.fetch(...request),
  wait: waitOnTimer,
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  allowsGuests: () => features().guests,
  now: () => new Date().getTime(),
  session,
}

/** Makes the one place that listens: all who look at the same watchlist share one stream, open while they look. */
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

export const watchLive = createLive(ports)
