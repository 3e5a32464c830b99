import { useTranslation } from 'react-i18next'

import { externalStart } from '#web/paths.ts'
import { features } from '#web/session/features.ts'
import { redirectTarget } from '#web/session/redirect-target.ts'
import { buttonStyle } from '#web/ui/button.tsx'

/** Leads to the external provider's page, where the installation has one. */
export function ExternalButton({ redirect }: { redirect: string | undefined }) {
  const { t } = useTranslation('auth')
  const { externalProvider: provider } = features()
  if (provider === null) return null
  return (
    <a href={externalStart(redirectTarget(redirect))} className={buttonStyle('quiet', 'large')}>
      {t('external.signIn', { provider })}
    </a>
  )
}
