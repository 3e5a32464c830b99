import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { Section } from './section.tsx'

/** The way to the screen that changes the password. */
export function PasswordSection() {
  const { t } = useTranslation('auth')
  return (
    <Section title={t('fields.password')}>
      <p className="text-muted">{t('security.password.description')}</p>
      <Link to={to.changePassword()} className={`${buttonStyle('quiet')} self-start`}>
        {t('changePassword.title')}
      </Link>
    </Section>
  )
}
