import type { ProblemType } from '@marquee/contract/problems'

/**
 * What went wrong with a call: a type the server answered with (contract/problems), or one that arises in the browser:
 * NETWORK_ERROR (no answer), VALIDATION_ERROR (an answer of another shape) and REFRESH_ERROR (the identity service did
 * not renew the token; `cause` is its error).
 */
export type ApiErrorKind = ProblemType | 'NETWORK_ERROR' | 'VALIDATION_ERROR' | 'REFRESH_ERROR'

type Details = { status?: number; retryAfterMs?: number | undefined; cause?: unknown }

/**
 * Thrown by every failed call. `status` is the HTTP status where there was an answer, `retryAfterMs` how long that asked
 * to wait; `message` may be shown.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(kind: ApiErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
  }
}

/** Is it an ApiError, and, where kinds are given, one of these? */
export function isApiError(error: unknown, ...kinds: readonly ApiErrorKind[]): error is ApiError {
  return error instanceof ApiError && (kinds.length === 0 || kinds.includes(error.kind))
}
