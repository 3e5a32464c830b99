import { Link, Navigate, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { ResetPasswordForm } from '#web/features/club/auth-screens/reset-password-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useRedirectParameter } from '#web/session/redirect-target.ts'
import { Banner } from '#web/ui/banner.tsx'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { noticeOf, personState, useCodeLink } from './navigation-state.ts'

/** /auth/reset-password, from an operator's one-time link or after a code was sent. */
export function Component() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const redirect = useRedirectParameter()
  const { state } = useLocation() as { state: unknown }
  const link = useCodeLink()
  const person = link ? { email: link.username } : personState(state)
  const notice = link === undefined ? noticeOf(state) : undefined
  if (person === undefined) return <Navigate to={to.forgotPassword(redirect)} replace />

  return (
    <>
      <AuthHeading title={t('resetPassword.title')} />
      {notice !== undefined && <Banner tone={notice.messageType}>{notice.message}</Banner>}
      <ResetPasswordForm
        key={link?.code}
        email={person.email}
        code={link?.code ?? ''}
        onReset={async () =>
          navigate(to.login(redirect), {
            state: { ...person, message: t('resetPassword.done'), messageType: 'success' },
          })
        }
      />
      <Link to={to.forgotPassword(redirect)} className={lineLinkStyle}>
        {t('resetPassword.newCode')}
      </Link>
    </>
  )
}
