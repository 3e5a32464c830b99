import { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import type { z } from 'zod'

import { type Call, createCaller } from './caller.ts'
import type { SeedRequest } from './draw.ts'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { whileVisible } from './live.ts'
import { holdLiveStream, type LiveListener } from './live-stream.ts'
import { readJson } from './read-json.ts'
import { waitOnTimer } from './retry.ts'

/** Calls the product API with the pass of a night in place of a session. A void pass rejects with UNAUTHORIZED. */
export function callWithPass(token: string): Call {
  return createCaller({ ...portsOf(token), baseUrl: '/api', fetchWithProgress })
}

/**
 * Calls `onChange` when the night changes, when it may have been missed, and when the pass is void; with what a draw
 * asks of this device. Returns a function that stops.
 */
export function followNight(token: string, nightId: string, onChange: (request?: SeedRequest) => void): () => void {
  const url = `/api${NIGHT_GUEST_ENDPOINTS.nightEvents.path.replace(':nightId', encodeURIComponent(nightId))}`
  const ports = {
    ...portsOf(token),
    random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
    now: () => new Date().getTime(),
  }
  return whileVisible(() => {
    const controller = new AbortController()
    const listener: LiveListener = {
      onEvent: ({ drawNumber, seeds }) => onChange({ drawNumber, seeds }),
      onOpen: () => onChange(),
      onGone: () => onChange(),
    }
    void holdLiveStream(ports, url, listener, controller.signal)
    return () => controller.abort()
  })
}

/** The pass that this browser keeps. Storage may be blocked, or hold something else. */
export function readPass<Pass>(storageKey: string, schema: z.ZodType<Pass>): Pass | undefined {
  try {
    return readJson(schema, localStorage.getItem(storageKey))
  } catch {
    return undefined
  }
}

/** Keeps the pass across reloads; undefined forgets it. Without storage it lasts as long as the page. */
export function savePass(storageKey: string, pass: object | undefined): void {
  try {
    if (pass === undefined) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(pass))
  } catch {
    // The browser allows no storage.
  }
}

function portsOf(token: string) {
  return {
    fetch: async (...request: Parameters<typeof fetch>) => fetch(...request),
    wait: waitOnTimer,
    allowsGuests: () => false,
    session: { idToken: async () => token, renewedIdToken: async () => undefined, expired: async () => undefined },
  }
}
