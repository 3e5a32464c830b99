import { useTranslation } from 'react-i18next'

import { Banner } from './ui/banner.tsx'
import { Button } from './ui/button.tsx'

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
