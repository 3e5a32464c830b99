import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useRedirectParameter } from '#web/session/redirect-target.ts'
import { linkStyle } from '#web/ui/classes.ts'

/** Two links for an address that has an account: sign in, and reset the password. */
export function TakenEmail({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  const redirect = useRedirectParameter()
  return (
    <p className="text-sm text-text">
      {t('takenEmail.question')}{' '}
      <Link to={to.login(redirect)} state={{ email }} className={linkStyle}>
        {t('takenEmail.signIn')}
      </Link>{' '}
      {t('takenEmail.or')}{' '}
      <Link to={to.forgotPassword(redirect)} state={{ email }} className={linkStyle}>
        {t('takenEmail.reset')}
      </Link>
    </p>
  )
}
