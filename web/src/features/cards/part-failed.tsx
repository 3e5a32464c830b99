import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Stands where a part of the screen could not be fetched. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Banner
      tone="error"
      action={
        <Button tone="quiet" size="small" onClick={onRetry}>
          {t('actions.tryAgain')}
        </Button>
      }
    >
      {t('errors.network')}
    </Banner>
  )
}
