import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/auth-screens/auth-heading.tsx'
import { ResetPasswordForm } from '#web/features/auth-screens/reset-password-form.tsx'
import { to } from '#web/paths.ts'
import { useRedirectParameter } from '#web/session/redirect-parameter.ts'
import { linkStyle } from '#web/ui/link.ts'

import { personState, resetLink } from './navigation-state.ts'

/** /auth/reset-password */
export function Component() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const redirect = useRedirectParameter()
  const { state, hash } = useLocation() as { state: unknown; hash: string }
  const link = resetLink(hash)
  const person = link ?? personState(state)
  if (person === undefined) return <Navigate to={to.forgotPassword(redirect)} replace />

  return (
    <>
      <AuthHeading title={t('resetPassword.title')} />
      <ResetPasswordForm
        email={person.email}
        code={link?.code ?? ''}
        onReset={async () =>
          navigate(to.login(redirect), { state: { message: t('resetPassword.done'), messageType: 'success' } })
        }
      />
      <Link to={to.forgotPassword(redirect)} className={`${linkStyle} self-start`}>
        {t('resetPassword.newCode')}
      </Link>
    </>
  )
}
