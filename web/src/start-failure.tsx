import { useTranslation } from 'react-i18next'

import { Banner } from './ui/banner.tsx'
import { Button } from './ui/button.tsx'

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
