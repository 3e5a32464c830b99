import { features } from '#web/session/features.ts'
import { session } from '#web/session/session.ts'
import { createCaller } from './caller.ts'
import { connection } from './connection.ts'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { waitOnTimer } from './retry.ts'

/** A request without an answer, unless it was given up, makes the connection doubtful. */
function watched<Request extends unknown[]>(send: (...request: Request) => Promise<Response>) {
  return async (...request: Request): Promise<Response> => {
    try {
      return await send(...request)
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) connection.doubt()
      throw error
    }
  }
}

/** Calls the product API of this origin as the signed-in user: `call(ENDPOINTS.addCard, { params, body })`. */
export const call = createCaller({
  baseUrl: '/api',
  fetch: watched(async (...request: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...request)),
  fetchWithProgress: watched(fetchWithProgress),
  wait: waitOnTimer,
  allowsGuests: () => features().guests,
  session,
})
