import '#web/i18n/statistics-texts.ts'

import { StatisticsSection } from '#web/features/nights/statistics/statistics-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/statistics`: what the watchlist has watched. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist } = useWatchlistPlace()
  return (
    <PlaceScreen title={t('statistics.title')}>
      <StatisticsSection watchlistId={watchlist.id} />
    </PlaceScreen>
  )
}
