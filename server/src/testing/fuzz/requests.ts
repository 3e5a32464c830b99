import fc, { type Arbitrary } from 'fast-check'

import type { OpenApiDocument } from '../../openapi/document-types.ts'
import { apiRequests } from './api-requests.ts'
import { hostedRequests } from './hosted-requests.ts'
import { identityRequests } from './identity-requests.ts'
import type { FuzzRequest } from './parts.ts'

const CHUNK = 500

/** Requests to every endpoint: the product API, the user pool, the hosted pages and the rest of the server. */
function anyRequest(document: OpenApiDocument, users: number): Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 12, arbitrary: apiRequests(document, users) },
    { weight: 5, arbitrary: identityRequests(users) },
    { weight: 3, arbitrary: hostedRequests(users) },
  )
}

/** The requests of a seed, from number `first` on. A number always gives the same request. */
export function* requestsOf(
  { document, users }: { document: OpenApiDocument; users: number },
  { seed, first, count }: { seed: number; first: number; count: number },
): Generator<{ number: number; request: FuzzRequest }, void> {
  const arbitrary = anyRequest(document, users)
  for (let chunk = Math.floor(first / CHUNK); chunk * CHUNK < first + count; chunk += 1) {
    const requests = fc.sample(arbitrary, { seed: seed + chunk, numRuns: CHUNK })
    for (const [index, request] of requests.entries()) {
      const number = chunk * CHUNK + index
      if (number >= first && number < first + count) yield { number, request }
    }
  }
}
