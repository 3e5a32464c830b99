import { ChartColumn, Dices, FileUp, Lightbulb } from 'lucide-react'
import { Link } from 'react-router'

import { Country } from '#web/features/movies/card/card-context.ts'
import { LibrarySection } from '#web/features/movies/library/library-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/library`: all movies of the watchlist that are not in the box. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist, isMember } = useWatchlistPlace()
  const { id, members } = watchlist
  return (
    <PlaceScreen
      title={t('library.title')}
      isForVisitors
      actions={
        isMember && (
          <div className="flex flex-wrap gap-2">
            <Link to={to.suggestions(id)} className={buttonStyle('quiet')}>
              <Lightbulb aria-hidden />
              {t('places.suggestions')}
            </Link>
            <Link to={to.statistics(id)} className={buttonStyle('quiet')}>
              <ChartColumn aria-hidden />
              {t('detail.statistics')}
            </Link>
            <Link to={to.draws(id)} className={buttonStyle('quiet')}>
              <Dices aria-hidden />
              {t('places.draws')}
            </Link>
            <Link to={to.importMovies(id)} className={buttonStyle('quiet')}>
              <FileUp aria-hidden />
              {t('detail.importMovies')}
            </Link>
          </div>
        )
      }
    >
      <Country value={isMember ? watchlist.country : undefined}>
        <LibrarySection watchlistId={id} members={members?.map(({ username }) => username) ?? []} isMember={isMember} />
      </Country>
    </PlaceScreen>
  )
}
