import { features } from '#web/config.ts'
import { session } from '#web/session/session.ts'

import { createCaller } from './caller.ts'
import { connection } from './connection.ts'
import { takeEarlyResponse } from './early-reads.ts'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { waitOnTimer } from './retry.ts'

/** A server that is out of service, or a proxy without a server. */
const OUT_OF_SERVICE = new Set([502, 503, 504])

/** A request without an answer makes the connection doubtful, and so does an outage. A cancelled request does not. */
function watched<Request extends unknown[]>(send: (...request: Request) => Promise<Response>) {
  return async (...request: Request): Promise<Response> => {
    try {
      const response = await send(...request)
      if (OUT_OF_SERVICE.has(response.status)) connection.doubt()
      return response
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) connection.doubt()
      throw error
    }
  }
}

/** Calls the product API of this origin as the signed-in user: `call(CARD_ENDPOINTS.addCard, { params, body })`. */
export const call = createCaller({
  baseUrl: '/api',
  fetch: watched(async (url: string, request: RequestInit) => takeEarlyResponse(url, request) ?? fetch(url, request)),
  fetchWithProgress: watched(fetchWithProgress),
  wait: waitOnTimer,
  allowsGuests: () => features().guests,
  session,
})

/** How the pages of a list follow each other, for an infinite query. */
export const PAGED = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextToken }: { nextToken: string | null }) => nextToken ?? undefined,
}
