import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

type RetryBannerProps = { onRetry: () => unknown; isRetrying?: boolean; children: ReactNode }

/** A failure with a button to try again. */
export function RetryBanner({ onRetry, isRetrying = false, children }: RetryBannerProps) {
  const { t } = useTranslation()
  const retry = (
    <Button tone="quiet" size="small" busy={isRetrying} onClick={() => void onRetry()}>
      {t('actions.tryAgain')}
    </Button>
  )
  return (
    <Banner tone="error" action={retry}>
      {children}
    </Banner>
  )
}

/** Replaces a lazy part whose code cannot be loaded. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return <RetryBanner onRetry={onRetry}>{t('errors.network')}</RetryBanner>
}
