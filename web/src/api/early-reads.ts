import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { matchPath } from 'react-router'

import { ROUTES } from '#web/paths.ts'

const TIMEOUT_MS = 30_000
/** What no call has taken by then is out of date. */
const KEPT_MS = 10_000

type EarlyRead = { headers: Readonly<Record<string, string>>; response: Promise<Response> }

declare global {
  /** What public/boot.js has sent, by address. */
  var marqueeReads: ReadonlyMap<string, EarlyRead> | undefined
}

const reads = new Map<string, EarlyRead>()

/**
 * Sends what a watchlist's screen reads first, while the code of that screen still loads, unless public/boot.js has. A
 * `token` is undefined for guests.
 * @returns Whether there is something to read.
 */
export function readEarly(path: string, token: string | undefined): boolean {
  const { watchlistId } = matchPath(ROUTES.watchlist, path)?.params ?? {}
  if (watchlistId === undefined || path === ROUTES.createWatchlist) return false
  const watchlist = `/api/watchlists/${encodeURIComponent(watchlistId)}`
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  for (const url of [watchlist, `${watchlist}/cards?limit=${CARDS_PAGE_SIZE}`]) {
    const sent = globalThis.marqueeReads?.get(url)
    if (sent !== undefined && isSame(sent.headers, headers)) {
      reads.set(url, sent)
      continue
    }
    const response = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    // The call that takes it handles the failure.
    response.catch(() => undefined)
    reads.set(url, { headers, response })
  }
  globalThis.marqueeReads = undefined
  setTimeout(() => reads.clear(), KEPT_MS)
  return true
}

/** Whether a call may still get a response that was sent for when the page opened. */
export function hasEarlyReads(): boolean {
  return reads.size > 0
}

/** The response to the same request if it was sent early. It is given once. */
export function takeEarlyResponse(
  url: string,
  { method, headers, signal }: RequestInit,
): Promise<Response> | undefined {
  const early = reads.get(url)
  if (early === undefined || method !== 'GET') return undefined
  reads.delete(url)
  if (!isSame(headers, early.headers)) return undefined
  return Promise.race([early.response, whenAborted(signal)])
}

function isSame(headers: RequestInit['headers'], others: EarlyRead['headers']): boolean {
  return JSON.stringify(headers) === JSON.stringify(others)
}

async function whenAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
