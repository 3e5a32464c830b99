import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { matchPath } from 'react-router'

import { ROUTES } from '#web/paths.ts'

const TIMEOUT_MS = 30_000
/** What no call has taken by then is out of date. */
const KEPT_MS = 10_000

type EarlyRead = { headers: Readonly<Record<string, string>>; response: Promise<Response> }

const reads = new Map<string, EarlyRead>()

/**
 * Sends what a watchlist's screen reads first, while the code of that screen still loads. A `token` is undefined for
 * guests.
 */
export function readEarly(path: string, token: string | undefined): void {
  const { watchlistId } = matchPath(ROUTES.watchlist, path)?.params ?? {}
  if (watchlistId === undefined || path === ROUTES.createWatchlist) return
  const watchlist = `/api/watchlists/${encodeURIComponent(watchlistId)}`
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  for (const url of [watchlist, `${watchlist}/cards?limit=${CARDS_PAGE_SIZE}`]) {
    const response = fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    // The call that takes it handles the failure.
    response.catch(() => undefined)
    reads.set(url, { headers, response })
  }
  setTimeout(() => reads.clear(), KEPT_MS)
}

/** The response to the same request if it was sent early. It is given once. */
export function takeEarlyResponse(
  url: string,
  { method, headers, signal }: RequestInit,
): Promise<Response> | undefined {
  const early = reads.get(url)
  if (early === undefined || method !== 'GET') return undefined
  reads.delete(url)
  if (JSON.stringify(headers) !== JSON.stringify(early.headers)) return undefined
  return Promise.race([early.response, whenAborted(signal)])
}

async function whenAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
