import { matchPath } from 'react-router'

import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { ROUTES } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'

import { AuthHeading } from './auth-heading.tsx'

/** Whether a visitor who goes there after signing in may create an account. The server checks that the link is open. */
export function canSignUp(redirect: string | undefined): boolean {
  const { registration } = features()
  if (registration !== 'invited') return registration !== 'closed'
  return redirect !== undefined && matchPath(ROUTES.join, redirect) !== null
}

/** Takes the place of the form where no account can be created. */
export function NoSignUp() {
  const { t } = useTranslation('auth')
  const isClosed = features().registration === 'closed'
  return (
    <>
      <AuthHeading title={t('signup.title')} />
      <Banner tone="info">{t(isClosed ? 'signup.closed' : 'signup.invitedOnly')}</Banner>
    </>
  )
}
