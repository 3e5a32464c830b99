import { HEARTBEAT_MS, LiveEvent, QUIET_HEADER } from '@marquee/contract/live-events'
import type { EventSourceParser } from 'eventsource-parser'

import { readJson } from './read-json.ts'
import { type Moment, momentBefore } from './read-times.ts'
import type { Wait } from './retry.ts'

/** After this much silence the connection counts as broken. */
const SILENCE_MS = HEARTBEAT_MS * 2.5
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

export type LiveStreamPorts = {
  fetch: typeof globalThis.fetch
  wait: Wait
  /** From 0 to 1. Spreads the reconnects of all browsers after a restart. */
  random: () => number
  /** Whether guests may listen. */
  allowsGuests: () => boolean
  session: { idToken: () => Promise<string | undefined>; renewedIdToken: () => Promise<string | undefined> }
}

export type LiveListener = {
  onEvent: (event: LiveEvent) => void
  /** The stream is open. What was read before this moment may be out of date. */
  onOpen: (moment: Moment) => void
  /** The user may not listen any more, or the watchlist is gone. */
  onGone: () => void
}

type Ending = 'was-open' | 'failed' | 'gone'

/**
 * Keeps an event stream open until the signal is aborted or access is lost. It reconnects when the connection breaks,
 * the server restarts or the token expires. See docs/product/live.md#stream.
 */
export async function holdLiveStream(
  ports: LiveStreamPorts,
  url: string,
  listener: LiveListener,
  signal: AbortSignal,
): Promise<void> {
  const isOver = () => signal.aborted
  for (let failures = 0; !isOver();) {
    const ending = await listenOnce(ports, url, listener, signal)
    if (isOver()) return
    if (ending === 'gone') {
      listener.onGone()
      return
    }
    failures = ending === 'was-open' ? 0 : failures + 1
    const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS) * (0.5 + ports.random() / 2)
    await ports.wait(delay, signal).catch(() => {})
  }
}

async function listenOnce(
  ports: LiveStreamPorts,
  url: string,
  listener: LiveListener,
  signal: AbortSignal,
): Promise<Ending> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  let ending: Ending = 'failed'
  try {
    restartTimer()
    const response = await ask(ports, url, AbortSignal.any([signal, silence.signal]))
    // 401: the session is over, which other calls handle. 403, 404: no access, or gone.
    if (response === undefined || [403, 404].includes(response.status)) return 'gone'
    if (!response.ok || response.body === null) return 'failed'
    const quiet = momentBefore(Number(response.headers.get(QUIET_HEADER)))
    const parser = await loadParser(listener.onEvent)
    ending = 'was-open'
    listener.onOpen(quiet)
    await readEvents(response.body, parser, restartTimer)
  } catch {
    // Broken, silent, out of reach or aborted: the reconnect is the same.
  } finally {
    clearTimeout(timer)
  }
  return ending
}

async function ask(ports: LiveStreamPorts, url: string, signal: AbortSignal): Promise<Response | undefined> {
  const open = async (token?: string) =>
    ports.fetch(url, {
      headers: { accept: 'text/event-stream', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      cache: 'no-store',
      signal,
    })
  const token = await ports.session.idToken()
  if (token === undefined) return ports.allowsGuests() ? await open() : undefined
  const response = await open(token)
  if (response.status !== 401) return response
  const renewed = await ports.session.renewedIdToken()
  return renewed === undefined ? undefined : open(renewed)
}

/** No screen needs it to appear. */
async function loadParser(onEvent: (event: LiveEvent) => void): Promise<EventSourceParser> {
  const { createParser } = await import('eventsource-parser')
  return createParser({
    onEvent: ({ data }) => {
      const event = readJson(LiveEvent, data)
      // A newer server may send kinds that this version does not know.
      if (event !== undefined) onEvent(event)
    },
  })
}

async function readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  parser: EventSourceParser,
  onChunk: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onChunk()
    parser.feed(value)
  }
}
