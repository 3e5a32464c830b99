import { PROBLEMS, problemType, type ProblemKey } from '@marquee/contract/problems'

import { ApiError, type ApiErrorKind } from './api-error.ts'

const KINDS = new Set<string>(Object.keys(PROBLEMS).map((key) => problemType(key as ProblemKey)))

function isKind(type: unknown): type is ApiErrorKind {
  return typeof type === 'string' && KINDS.has(type)
}

/** Spec section 8: what a status means when the body says nothing. */
function fromStatus(status: number): { kind: ApiErrorKind; message: string } {
  switch (status) {
    case 401:
    case 403:
      return { kind: 'UNAUTHORIZED', message: 'Unauthorized access' }
    case 404:
      return { kind: 'NOT_FOUND', message: 'Resource not found' }
    case 400:
      return { kind: 'BAD_REQUEST', message: 'Bad request' }
    default:
      return { kind: 'SERVER_ERROR', message: `Server error: ${status}` }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The error of a reply that is no success. `body` is its parsed JSON, undefined if it had none. */
export function problemOf({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): ApiError {
  const byStatus = fromStatus(status)
  const said = typeof body === 'object' && body !== null ? (body as { type?: unknown; message?: unknown }) : {}
  return new ApiError(isKind(said.type) ? said.type : byStatus.kind, textOf(said.message) ?? byStatus.message, {
    status,
    retryAfterMs: retryAfterOf(headers),
  })
}

/** `Retry-After` in milliseconds; our server gives seconds, never a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d+$/u.test(seconds) ? Number(seconds) * 1000 : undefined
}

/** The request brought no answer: no connection, cut off, or too slow. */
export function networkFailure(cause: unknown): ApiError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ApiError('NETWORK_ERROR', `Request failed: ${reason}`, { cause })
}

/** The token of the call could not be renewed. Amplify names the error where it had no connection. */
export function refreshFailure(cause: unknown): ApiError {
  if (cause instanceof Error && cause.name === 'NetworkError') return networkFailure(cause)
  return new ApiError('REFRESH_ERROR', 'The token could not be renewed', { cause })
}

/** The answer has not the shape of the contract. `where` says what differs. */
export function shapeMismatch(where: string, status: number): ApiError {
  return new ApiError('VALIDATION_ERROR', `Validation error: ${where}`, { status })
}
