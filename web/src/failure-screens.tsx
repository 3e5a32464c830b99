import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** The page if the configuration cannot be read. */
export function StartFailure() {
  const { t } = useTranslation()
  return (
    <FailurePage action={t('actions.tryAgain')}>
      <p>{t('errors.start')}</p>
      <p>{t('errors.network')}</p>
    </FailurePage>
  )
}

/**
 * The page if a screen cannot be loaded (a new version was installed, or there is no network) or fails to render. A
 * reload loads the current version.
 */
export function RouteFailure() {
  const { t } = useTranslation()
  return <FailurePage action={t('actions.reload')}>{t('errors.screen')}</FailurePage>
}

function FailurePage({ action, children }: { action: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-4">
      <Banner tone="error">{children}</Banner>
      <Button tone="primary" onClick={() => location.reload()}>
        {action}
      </Button>
    </main>
  )
}
