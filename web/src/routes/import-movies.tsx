import '#web/i18n/import-texts.ts'

import { ImportOdds } from '#web/features/draws/import-odds.tsx'
import { ImportSteps } from '#web/features/movies/imports/import-steps.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/import`: brings movies along from a file. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist } = useWatchlistPlace()
  const isAlone = watchlist.members?.length === 1
  return (
    <PlaceScreen title={t('import.titleInto', { name: watchlist.name })} isNarrow>
      <ImportSteps
        watchlistId={watchlist.id}
        renderAdded={(added) => !isAlone && <ImportOdds watchlistId={watchlist.id} added={added} />}
      />
    </PlaceScreen>
  )
}
