import '#web/i18n/night-texts.ts'

import { NightSection } from '#web/features/nights/night/night-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/night`: the movie nights of a watchlist. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist, username, isOwner } = useWatchlistPlace()
  return (
    <PlaceScreen title={t('night.title')} isNarrow>
      <NightSection
        watchlistId={watchlist.id}
        username={username}
        isOwner={isOwner}
        isAlone={watchlist.members?.length === 1}
      />
    </PlaceScreen>
  )
}
