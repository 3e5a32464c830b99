import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { ForgotPasswordForm, ResetCodeSent } from '#web/features/club/auth-screens/forgot-password-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useRedirectParameter } from '#web/session/redirect-target.ts'
import { Button } from '#web/ui/button.tsx'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { personState } from './navigation-state.ts'

/** /auth/forgot-password */
export function Component() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const redirect = useRedirectParameter()
  const { state } = useLocation() as { state: unknown }
  const [sentTo, setSentTo] = useState<string>()

  return (
    <>
      {sentTo === undefined ? (
        <>
          <AuthHeading title={t('forgotPassword.title')}>{t('forgotPassword.description')}</AuthHeading>
          <ForgotPasswordForm email={personState(state)?.email ?? ''} onSent={setSentTo} />
        </>
      ) : (
        <ResetCodeSent
          email={sentTo}
          action={
            <Button
              tone="primary"
              size="large"
              onClick={async () => navigate(to.resetPassword(redirect), { state: { email: sentTo } })}
            >
              {t('forgotPassword.resetNow')}
            </Button>
          }
        />
      )}
      <Link to={to.login(redirect)} className={lineLinkStyle}>
        {t('forgotPassword.backToLogin')}
      </Link>
    </>
  )
}
