import type { ProblemType } from '@marquee/contract/problems'

/**
 * The kind of a failed call: a type from the server (contract/problems), or one from the browser: NETWORK_ERROR (no
 * answer), VALIDATION_ERROR (an answer of another shape), REFRESH_ERROR (the identity service did not renew the token;
 * `cause` is its error).
 */
export type ApiErrorKind = ProblemType | 'NETWORK_ERROR' | 'VALIDATION_ERROR' | 'REFRESH_ERROR'

type Details = { status?: number; retryAfterMs?: number | undefined; cause?: unknown }

/**
 * Every failed call throws this. `status` and `retryAfterMs` come from the answer, if there was one. `message` may be
 * shown.
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

/** Whether a value is an ApiError, and one of these kinds if some are given. */
export function isApiError(error: unknown, ...kinds: readonly ApiErrorKind[]): error is ApiError {
  return error instanceof ApiError && (kinds.length === 0 || kinds.includes(error.kind))
}
