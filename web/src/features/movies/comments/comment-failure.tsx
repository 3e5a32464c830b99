import { isApiError } from '#web/api/api-error.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

export type CommentAction = 'load' | 'add' | 'edit' | 'delete'

type CommentFailure = 'FETCH_ERROR' | 'CREATE_ERROR' | 'EDIT_ERROR' | 'DELETE_ERROR' | 'NOT_FOUND' | 'UNAUTHORIZED'

/** The kind of a failure, which decides its text. See docs/product/errors.md. */
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

/** What failed, and the reason if the server gives one. */
export function CommentFailureBanner({ action, error }: { action: CommentAction; error: unknown }) {
  const { t } = useTranslation('moviecard')
  return <CallFailureBanner what={t(`commentFailures.${action}`)} kind={commentFailure(action, error)} error={error} />
}
