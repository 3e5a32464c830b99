import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'

import { AuthHeading } from './auth-heading.tsx'

type ResetCodeSentProps = { email: string; action: ReactNode }

/** The success panel after a reset code was asked for. It does not tell whether the account exists. */
export function ResetCodeSent({ email, action }: ResetCodeSentProps) {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('forgotPassword.sentTitle')} />
      <Banner tone="success">{t('forgotPassword.sent', { email })}</Banner>
      {action}
    </>
  )
}
