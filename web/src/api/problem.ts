import { PROBLEMS, problemType, type ProblemKey } from '@marquee/contract/problems'

import { ApiError, type ApiErrorKind } from './api-error.ts'

const KINDS = new Set<string>(Object.keys(PROBLEMS).map((key) => problemType(key as ProblemKey)))

function isKind(type: unknown): type is ApiErrorKind {
  return typeof type === 'string' && KINDS.has(type)
}

/** The meaning of a status without a problem in the body. */
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

/** The error of an unsuccessful reply. `body` is its parsed JSON, if any. */
export function problemOf({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): ApiError {
  const byStatus = fromStatus(status)
  const said: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  const { type, message, ...fields } = said
  return new ApiError(isKind(type) ? type : byStatus.kind, textOf(message) ?? byStatus.message, {
    status,
    fields,
    retryAfterMs: retryAfterOf(headers),
  })
}

/** `Retry-After` in milliseconds. The server sends seconds, never a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after')
  return seconds !== null && /^\d+$/u.test(seconds) ? Number(seconds) * 1000 : undefined
}

/** No answer: no connection, a broken one, or a timeout. */
export function networkFailure(cause: unknown): ApiError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ApiError('NETWORK_ERROR', `Request failed: ${reason}`, { cause })
}

/** The token could not be renewed. Amplify names the error if there was no connection. */
export function refreshFailure(cause: unknown): ApiError {
  if (cause instanceof Error && cause.name === 'NetworkError') return networkFailure(cause)
  return new ApiError('REFRESH_ERROR', 'The token could not be renewed', { cause })
}

/** The answer does not match the contract. `where` says what differs. */
export function shapeMismatch(where: string, status: number): ApiError {
  return new ApiError('VALIDATION_ERROR', `Validation error: ${where}`, { status })
}
