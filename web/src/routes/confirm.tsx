import { Link, Navigate, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { ConfirmForm } from '#web/features/club/auth-screens/verify-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { useCodeLink } from './navigation-state.ts'

/**
 * /auth/confirm, the link in the mail that confirms a sign-up. Opening it changes nothing, because mail scanners open
 * links.
 */
export function Component() {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const link = useCodeLink()
  if (link === undefined) return <Navigate to={to.login()} replace />

  return (
    <>
      <AuthHeading title={t('verify.title')}>{t('confirm.subtitle', { name: link.username })}</AuthHeading>
      <ConfirmForm
        key={link.code}
        {...link}
        onVerified={async () =>
          navigate(to.login(link.redirect), { state: { message: t('verify.done'), messageType: 'success' } })
        }
      />
      <Link to={to.login(link.redirect)} className={lineLinkStyle}>
        {t('verify.backToLogin')}
      </Link>
    </>
  )
}
