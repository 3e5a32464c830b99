import { PROBLEMS, type ProblemType } from '@marquee/contract/problems'

import { serverMessage } from '#web/i18n/server-message.ts'

/**
 * The kind of a failed call: a type from the server (contract/problems), or one from the browser: NETWORK_ERROR (no
 * answer), VALIDATION_ERROR (an answer of another shape), REFRESH_ERROR (the identity service did not renew the token;
 * `cause` is its error).
 */
export type ApiErrorKind = ProblemType | 'NETWORK_ERROR' | 'VALIDATION_ERROR' | 'REFRESH_ERROR'

type Details = {
  status?: number
  retryAfterMs?: number | undefined
  fields?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/**
 * Every failed call throws this. `status` and `retryAfterMs` come from the answer, if there was one. `message` may be
 * shown: it is in the language of the page. `details` has the other fields of the problem.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(kind: ApiErrorKind, message: string, details: Details = {}) {
    super(serverMessage(message, isProblem(kind) ? PROBLEMS[kind].message : message), { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.details = details.fields ?? {}
  }
}

function isProblem(kind: ApiErrorKind): kind is ProblemType {
  return Object.hasOwn(PROBLEMS, kind)
}

/** A server that is out of service, or a proxy without a server. */
export const OUT_OF_SERVICE: readonly unknown[] = [502, 503, 504]

/** Whether the server may have done what the call asked for: no answer of Marquee came, or one that cannot be read. */
export function mayBeDone(error: unknown): boolean {
  if (!isApiError(error)) return false
  return OUT_OF_SERVICE.includes(error.status) || isApiError(error, 'NETWORK_ERROR', 'VALIDATION_ERROR')
}

/** Whether a value is an ApiError, and one of these kinds if some are given. */
export function isApiError(error: unknown, ...kinds: readonly ApiErrorKind[]): error is ApiError {
  return error instanceof ApiError && (kinds.length === 0 || kinds.includes(error.kind))
}
