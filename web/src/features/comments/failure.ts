import { isApiError } from '#web/api/api-error.ts'

export type CommentAction = 'load' | 'add' | 'edit' | 'delete'

type CommentFailure = 'FETCH_ERROR' | 'CREATE_ERROR' | 'EDIT_ERROR' | 'DELETE_ERROR' | 'NOT_FOUND' | 'UNAUTHORIZED'

/** What kind of failure of a comment an error is (spec section 8, "Kinds per area"). */
export function commentFailure(action: CommentAction, error: unknown): CommentFailure {
  if (isApiError(error, 'UNAUTHORIZED')) return 'UNAUTHORIZED'
  if (isApiError(error, 'NOT_FOUND')) return 'NOT_FOUND'
  switch (action) {
    case 'load':
      return 'FETCH_ERROR'
    case 'add':
      return isApiError(error, 'VALIDATION_ERROR', 'BAD_REQUEST') ? 'CREATE_ERROR' : 'FETCH_ERROR'
    case 'edit':
      return 'EDIT_ERROR'
    case 'delete':
      return 'DELETE_ERROR'
  }
}
