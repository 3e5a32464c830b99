import type { BodyInput, Endpoint, Params } from '@marquee/contract/endpoints'
import type { z } from 'zod'

import { features } from '#web/config.ts'
import { session } from '#web/session/session.ts'

import { OUT_OF_SERVICE } from './api-error.ts'
import { type CallInput, type CallReply, createCaller } from './caller.ts'
import { connection } from './connection.ts'
import { takeEarlyResponse } from './early-reads.ts'
import { fetchWithProgress } from './fetch-with-progress.ts'
import { useAttempt } from './idempotency.ts'
import { waitOnTimer } from './retry.ts'

/** A request without an answer makes the connection doubtful, and so does an outage. A cancelled request does not. */
function watched<Request extends unknown[]>(send: (...request: Request) => Promise<Response>) {
  return async (...request: Request): Promise<Response> => {
    try {
      const response = await send(...request)
      if (OUT_OF_SERVICE.includes(response.status)) connection.doubt()
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

type ParamsOf<E extends Endpoint> = E extends { params: z.ZodType } ? [params: Params<E>] : [params?: undefined]
type Send<E extends Endpoint> = (body: E extends { body: z.ZodType } ? BodyInput<E> : void) => Promise<CallReply<E>>

/** A call that lacks only its body, if it has one: `useMutation({ mutationFn: send(ENDPOINT, { watchlistId }) })`. */
export function send<const E extends Endpoint & { query?: undefined }>(endpoint: E, ...[params]: ParamsOf<E>): Send<E> {
  return async (body) => {
    const input: object = { params, body }
    return call(endpoint, input as CallInput<E>)
  }
}

/** The same for a creation, which a retry does not repeat (useAttempt). */
export function useCreation<const E extends Endpoint & { query?: undefined; takesKey: true }>(
  endpoint: E,
  ...[params]: ParamsOf<E>
): Send<E> {
  const attempt = useAttempt()
  return async (body) =>
    attempt(JSON.stringify(body), async (idempotencyKey) => {
      const input: object = { params, body, idempotencyKey }
      return call(endpoint, input as CallInput<E>)
    })
}

/** How the pages of a list follow each other, for an infinite query. */
export const PAGED = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextToken }: { nextToken: string | null }) => nextToken ?? undefined,
}
