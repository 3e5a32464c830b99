import { type ApiErrorKind, isApiError } from '#web/api/api-error.ts'

type WatchlistFailure =
  | 'FETCH_ERROR'
  | 'CREATE_ERROR'
  | 'UPDATE_ERROR'
  | 'IMAGE_UPLOAD_ERROR'
  | 'IMAGE_DELETE_ERROR'
  | 'NOT_FOUND'
  | 'UNAUTHORIZED'

export type WatchlistAction = 'load' | 'create' | 'update' | 'uploadImage' | 'deleteImage'

/** What an action makes of an error, and of which. */
const OWN_KINDS: Record<WatchlistAction, { kind: WatchlistFailure; of: readonly ApiErrorKind[] }> = {
  load: { kind: 'FETCH_ERROR', of: ['VALIDATION_ERROR'] },
  create: { kind: 'CREATE_ERROR', of: ['BAD_REQUEST'] },
  update: { kind: 'UPDATE_ERROR', of: ['BAD_REQUEST', 'UNAUTHORIZED'] },
  uploadImage: { kind: 'IMAGE_UPLOAD_ERROR', of: ['BAD_REQUEST', 'VALIDATION_ERROR'] },
  deleteImage: { kind: 'IMAGE_DELETE_ERROR', of: ['BAD_REQUEST', 'VALIDATION_ERROR'] },
}

/** What kind of failure of a watchlist an error is; FETCH_ERROR is the fallback for everything else. */
export function watchlistFailure(action: WatchlistAction, error: unknown): WatchlistFailure {
  const { kind, of } = OWN_KINDS[action]
  if (isApiError(error, ...of)) return kind
  if (isApiError(error, 'NOT_FOUND')) return 'NOT_FOUND'
  return isApiError(error, 'UNAUTHORIZED') ? 'UNAUTHORIZED' : 'FETCH_ERROR'
}
