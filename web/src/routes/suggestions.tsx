import '#web/features/movies/lazy-texts.ts'
import { Plus } from 'lucide-react'
import { Link } from 'react-router'

import { SuggestionList } from '#web/features/movies/box/suggestion-list.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/suggestions`: the user's own cards in the box, and the movies of others that they want, too. */
export function Component() {
  const { t } = useTranslation('moviecard')
  const { watchlist } = useWatchlistPlace()
  return (
    <PlaceScreen
      title={t('suggestions.title')}
      isNarrow
      actions={
        // The box opens with its form.
        <Link to={to.watchlist(watchlist.id)} state={{ shared: '' }} className={buttonStyle('primary')}>
          <Plus aria-hidden />
          {t('box.add')}
        </Link>
      }
    >
      <SuggestionList watchlistId={watchlist.id} />
    </PlaceScreen>
  )
}
