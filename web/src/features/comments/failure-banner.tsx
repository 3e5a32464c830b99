import { useTranslation } from 'react-i18next'

import { isApiError } from '#web/api/api-error.ts'
import { useReason } from '#web/i18n/use-reason.ts'
import { Banner } from '#web/ui/banner.tsx'

import { type CommentAction, commentFailure } from './failure.ts'

/** What could not be done with a comment, and why where the server says so. */
export function FailureBanner({ action, error }: { action: CommentAction; error: unknown }) {
  const { t } = useTranslation('moviecard')
  const reason = useReason()(commentFailure(action, error), error)
  return (
    <Banner tone="error">
      <p>{t(`commentFailures.${action}`)}</p>
      {isApiError(error) && reason !== undefined && <p className="text-sm">{reason}</p>}
    </Banner>
  )
}
