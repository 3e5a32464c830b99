import { NOT_FOUND_REDIRECT_MS } from '@marquee/contract/limits'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'

/** Says that the watchlist is gone, and leaves after 3 seconds (spec sections 2 and 9). */
export function WatchlistNotFound({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation('watchlist')
  useEffect(() => {
    const timer = setTimeout(onLeave, NOT_FOUND_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [onLeave])
  return <Banner tone="error">{t('detail.notFound')}</Banner>
}
