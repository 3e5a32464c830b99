import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** What could not be loaded, and another try. */
export function LoadFailure({ text, onRetry }: { text: string; onRetry: () => Promise<unknown> }) {
  const { t } = useTranslation()
  return (
    <Banner
      tone="error"
      action={
        <Button tone="quiet" size="small" onClick={() => void onRetry()}>
          {t('actions.tryAgain')}
        </Button>
      }
    >
      {text}
    </Banner>
  )
}
