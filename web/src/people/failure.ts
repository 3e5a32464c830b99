import { isApiError } from '#web/api/api-error.ts'

type ProfileFailure = 'UPLOAD_ERROR' | 'FETCH_ERROR' | 'VALIDATION_ERROR' | 'UNAUTHORIZED'

/** What kind of failure of a profile an error is (spec section 8, "Kinds per area"). */
export function profileFailure(action: 'fetch' | 'change', error: unknown): ProfileFailure {
  if (isApiError(error, 'UNAUTHORIZED')) return 'UNAUTHORIZED'
  if (action === 'fetch') return 'FETCH_ERROR'
  return isApiError(error, 'VALIDATION_ERROR', 'BAD_REQUEST', 'PAYLOAD_TOO_LARGE') ? 'VALIDATION_ERROR' : 'UPLOAD_ERROR'
}
