import type { Endpoint } from '@marquee/contract/endpoints'
import { type ProblemKey, problemType, PROBLEMS } from '@marquee/contract/problems'

import type { Headers, Ref, Response } from './document-types.ts'

/** The description of each error, in the order of their status. */
const MEANING: Record<ProblemKey, string> = {
  BAD_REQUEST: 'A field is invalid, or the call takes no body. The message begins with the name of the field.',
  UNAUTHORIZED: 'The token is missing, invalid, expired or revoked.',
  FORBIDDEN: 'You may read this, but not change it like this.',
  NOT_FOUND: 'It does not exist, or you may not read it.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method.',
  CONFLICT: 'It has changed in the meantime. The reply says what is valid now.',
  PAYLOAD_TOO_LARGE: 'The body is too long: 65536 bytes are allowed, unless the call says otherwise.',
  UNSUPPORTED_MEDIA_TYPE: 'The content type of the body is not JSON.',
  TOO_MANY_REQUESTS: 'You have exceeded a rate limit.',
  SERVER_ERROR: 'The server failed. `x-request-id` finds the failure in its log.',
  SERVICE_UNAVAILABLE: 'The server cannot do this at the moment. Try again later.',
}

const text = { type: 'string' }

const HEADERS: Partial<Record<ProblemKey, Headers>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': { description: 'How to sign in.', schema: text } },
  METHOD_NOT_ALLOWED: { Allow: { description: 'The allowed methods.', schema: text } },
  TOO_MANY_REQUESTS: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  SERVICE_UNAVAILABLE: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  SERVER_ERROR: { 'X-Request-Id': { description: 'The number of this request.', schema: text } },
}

const KEYS = Object.keys(PROBLEMS) as ProblemKey[]

/** Every error response once, to be referred to by its key. */
export function problemResponses(): Record<string, Response> {
  return Object.fromEntries(
    KEYS.map((key) => {
      const headers = HEADERS[key]
      const example = { type: problemType(key), message: PROBLEMS[key].message }
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' }, example } }
      return [key, { description: MEANING[key], ...(headers && { headers }), content }]
    }),
  )
}

/** The error responses of a call, by status: those that it names, and those that all calls of its kind have. */
export function refusalsOf(endpoint: Endpoint): Record<string, Ref> {
  const keys = new Set<ProblemKey>([
    ...endpoint.errors,
    'BAD_REQUEST',
    'TOO_MANY_REQUESTS',
    'SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
  ])
  if (endpoint.auth !== 'none') keys.add('UNAUTHORIZED')
  if (endpoint.body !== undefined) {
    keys.add('PAYLOAD_TOO_LARGE')
    keys.add('UNSUPPORTED_MEDIA_TYPE')
  }
  return Object.fromEntries(
    KEYS.filter((key) => keys.has(key)).map((key) => [
      String(PROBLEMS[key].status),
      { $ref: `#/components/responses/${key}` },
    ]),
  )
}
