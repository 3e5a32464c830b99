import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

export type CommentAction = 'load' | 'add' | 'edit' | 'delete'

/** What failed, and the reason if the server gives one. */
export function CommentFailureBanner({ action, error }: { action: CommentAction; error: unknown }) {
  const { t } = useTranslation('moviecard')
  return <CallFailureBanner what={t(`commentFailures.${action}`)} error={error} isRead={action === 'load'} />
}
