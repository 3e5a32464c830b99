import { session } from '#web/session/session.ts'
import { createCaller } from './caller.ts'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { waitOnTimer } from './retry.ts'

/** Calls the product API of this origin as the signed-in user: `call(ENDPOINTS.addCard, { params, body })`. */
export const call = createCaller({
  baseUrl: '/api',
  fetch: async (...request) => globalThis.fetch(...request),
  fetchWithProgress,
  wait: waitOnTimer,
  session,
})
