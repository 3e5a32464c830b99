import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** The whole page where the server could not be asked how it is set up. */
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
 * The page where a screen could not be fetched (a new version was installed, or there is no network) or failed to
 * render. A reload fetches what is there now.
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
