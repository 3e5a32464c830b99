import { useTranslation } from 'react-i18next'

import { identityFailure } from '#web/session/identity-failure.ts'
import { Banner } from '#web/ui/banner.tsx'

/** Why a change of the account was refused, in the words of the identity service where it gave some. */
export function ChangeFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('auth')
  if (error === null) return null
  return <Banner tone="error">{identityFailure(error, t('errors.security')).message}</Banner>
}
