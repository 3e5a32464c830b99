import { LIVE_ENDPOINTS } from '@marquee/contract/endpoints/live'
import { useEffect, useEffectEvent } from 'react'

import { features } from '#web/config.ts'
import { session } from '#web/session/session.ts'

import { holdLiveStream, type LiveListener, type LiveStreamPorts } from './live-stream.ts'
import { type Moment, momentBefore } from './read-times.ts'
import { waitOnTimer } from './retry.ts'

/** A page that is hidden for this long is not in use. */
const HIDDEN_MS = 10_000

/**
 * Runs something while the page is visible: it starts when the page is shown, ends some time after it is hidden or at
 * once when it is suspended, and restarts when the network is back. A browser opens six connections to a server over
 * HTTP/1.1, for all tabs together, so hidden tabs must not hold one. Returns a function that ends it.
 */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const end = () => {
    clearTimeout(timer)
    stop?.()
    stop = undefined
  }
  const update = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') stop ??= start()
    else if (stop !== undefined) timer = setTimeout(end, HIDDEN_MS)
  }
  const restart = () => {
    end()
    update()
  }

  document.addEventListener('visibilitychange', update)
  globalThis.addEventListener('pageshow', update)
  globalThis.addEventListener('pagehide', end)
  globalThis.addEventListener('online', restart)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
    globalThis.removeEventListener('pageshow', update)
    globalThis.removeEventListener('pagehide', end)
    globalThis.removeEventListener('online', restart)
    end()
  }
}

const ports: LiveStreamPorts = {
  fetch: async (...request) => globalThis.fetch(...request),
  wait: waitOnTimer,
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  allowsGuests: () => features().guests,
  session,
}

type SharedStream = {
  listeners: Set<LiveListener>
  /** Since when nothing was missed and no event came. Undefined before the stream is open. */
  quietSince: () => Moment | undefined
  close: () => void
}

/** Subscribers of the same watchlist share one stream. */
const streams = new Map<string, SharedStream>()

type OwnListener = Omit<LiveListener, 'onGone'>

/** They hear of changes of the user's notifications from any stream. */
const ownListeners = new Set<OwnListener>()
/** It is open only while no other is, because a browser has few connections. */
let ownStream: SharedStream | undefined

function openStream(watchlistId?: string): SharedStream {
  const listeners = new Set<LiveListener>()
  let quietSince: Moment | undefined
  const all: LiveListener = {
    onEvent: (event) => {
      quietSince = momentBefore(0)
      listeners.forEach(({ onEvent }) => onEvent(event))
      if (event.kind === 'notifications-changed') ownListeners.forEach(({ onEvent }) => onEvent(event))
    },
    onOpen: (moment) => {
      quietSince = moment
      for (const { onOpen } of [...listeners, ...ownListeners]) onOpen(moment)
    },
    onGone: () => listeners.forEach(({ onGone }) => onGone()),
  }
  const path =
    watchlistId === undefined
      ? LIVE_ENDPOINTS.ownEvents.path
      : LIVE_ENDPOINTS.watchlistEvents.path.replace(':watchlistId', encodeURIComponent(watchlistId))
  const close = whileVisible(() => {
    const controller = new AbortController()
    void holdLiveStream(ports, `/api${path}`, all, controller.signal)
    return () => controller.abort()
  })
  return { listeners, quietSince: () => quietSince, close }
}

function updateOwnStream(): void {
  if (ownListeners.size > 0 && streams.size === 0) {
    ownStream ??= openStream()
    return
  }
  ownStream?.close()
  ownStream = undefined
}

/** Subscribes to the events of a watchlist. Returns a function that unsubscribes. */
function subscribe(watchlistId: string, listener: LiveListener): () => void {
  const stream = streams.get(watchlistId) ?? openStream(watchlistId)
  streams.set(watchlistId, stream)
  updateOwnStream()
  stream.listeners.add(listener)
  // It has not heard the events so far.
  const moment = stream.quietSince()
  if (moment) listener.onOpen(moment)
  return () => {
    stream.listeners.delete(listener)
    if (stream.listeners.size > 0) return
    streams.delete(watchlistId)
    stream.close()
    updateOwnStream()
  }
}

/** Subscribes to the events of a watchlist while the caller is mounted. */
export function useLiveEvents(watchlistId: string, listener: Partial<LiveListener>): void {
  const onEvent = useEffectEvent<LiveListener['onEvent']>((event) => listener.onEvent?.(event))
  const onOpen = useEffectEvent<LiveListener['onOpen']>((moment) => listener.onOpen?.(moment))
  const onGone = useEffectEvent<LiveListener['onGone']>(() => listener.onGone?.())
  useEffect(() => subscribe(watchlistId, { onEvent, onOpen, onGone }), [watchlistId])
}

/** Subscribes to changes of the user's notifications while the caller is mounted. */
export function useOwnEvents(listener: OwnListener): void {
  const onEvent = useEffectEvent<OwnListener['onEvent']>((event) => listener.onEvent(event))
  const onOpen = useEffectEvent<OwnListener['onOpen']>((moment) => listener.onOpen(moment))
  useEffect(() => {
    const own = { onEvent, onOpen }
    ownListeners.add(own)
    updateOwnStream()
    return () => {
      ownListeners.delete(own)
      updateOwnStream()
    }
  }, [])
}
