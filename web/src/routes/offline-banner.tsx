import { useTranslation } from 'react-i18next'

import { useConnection } from '#web/api/use-connection.ts'
import { Banner } from '#web/ui/banner.tsx'

/** Says for all signed-in screens that nothing can be sent now, and that nothing is lost. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const connection = useConnection()
  if (connection === 'online') return null
  return (
    <div className="sticky top-14 z-30 mx-auto w-full max-w-[68.75rem] px-4 pt-2 sm:px-6">
      <Banner tone="info">
        <p className="font-semibold text-text">{t(`connection.${connection}`)}</p>
        <p className="text-sm">{t('connection.nothingLost')}</p>
      </Banner>
    </div>
  )
}
