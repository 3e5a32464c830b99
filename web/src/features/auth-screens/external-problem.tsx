import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { linkStyle } from '#web/ui/link.ts'

import { AuthHeading } from './auth-heading.tsx'

export const EXTERNAL_REASONS = ['unreachable', 'failed', 'over', 'other'] as const
export type ExternalReason = (typeof EXTERNAL_REASONS)[number]

/** A sign-in with the external provider that came to nothing, and the way back to the login screen. */
export function ExternalProblem({ provider, reason }: { provider: string; reason: ExternalReason }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('external.signIn', { provider })} />
      <Banner tone="error">{t(`external.reasons.${reason}`, { provider })}</Banner>
      <Link to={to.login()} className={`${linkStyle} self-start`}>
        {t('external.toLogin')}
      </Link>
    </>
  )
}
