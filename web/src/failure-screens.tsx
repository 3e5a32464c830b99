import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** The page if the configuration cannot be read. */
export function StartFailure() {
  const { t } = useTranslation()
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-4">
      <Banner tone="error">
        <p>{t('errors.start')}</p>
        <p>{t('errors.network')}</p>
      </Banner>
      <Button tone="primary" onClick={() => location.reload()}>
        {t('actions.tryAgain')}
      </Button>
    </main>
  )
}

/**
 * The page if a screen cannot be loaded (a new version was installed, or there is no network) or fails to render. A
 * reload loads the current version.
 */
export function RouteFailure() {
  const { t } = useTranslation()
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-4">
      <Banner tone="error">{t('errors.screen')}</Banner>
      <Button tone="primary" onClick={() => location.reload()}>
        {t('actions.reload')}
      </Button>
    </main>
  )
}
