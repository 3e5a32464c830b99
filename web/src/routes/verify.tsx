import { Link, Navigate, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { VerifyForm } from '#web/features/club/auth-screens/verify-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { features } from '#web/config.ts'
import { useRedirectParameter } from '#web/session/redirect-target.ts'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { isArriving, newAccount, personState } from './navigation-state.ts'

/** /auth/verify. The login screen passes no username, so the e-mail replaces it. */
export function Component() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const redirect = useRedirectParameter()
  const { state } = useLocation() as { state: unknown }
  const person = personState(state)
  if (person === undefined) return <Navigate to={to.login(redirect)} replace />

  const { email, name = email } = person
  return (
    <>
      <AuthHeading title={t('verify.title')}>
        {t(features().verification === 'link' ? 'verify.subtitleLink' : 'verify.subtitle', { email })}
      </AuthHeading>
      <VerifyForm
        email={email}
        username={name}
        redirect={redirect}
        onVerified={async () =>
          navigate(to.login(redirect), { state: newAccount(email, t('verify.done'), isArriving(redirect)) })
        }
      />
      <Link to={to.login(redirect)} className={lineLinkStyle}>
        {t('verify.backToLogin')}
      </Link>
    </>
  )
}
