import '#web/i18n/signed-in-texts.ts'
import '#web/i18n/night-texts.ts'

import { Tv } from '#web/features/nights/big-screen/tv.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { OwnCache } from './own-cache.tsx'
import { ScreenTitle } from './screen.tsx'

/** `/tv`: a screen without an account. */
export function Component() {
  const { t } = useTranslation('watchlist')
  return (
    <OwnCache>
      <ScreenTitle title={t('bigScreen.tv.title')} />
      <Tv />
    </OwnCache>
  )
}
