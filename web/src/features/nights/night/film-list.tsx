import type { NightFilm } from '@marquee/contract/entities/night'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'

import { viewingsOfCard } from '#web/features/movies/viewings/queries.ts'
import { StarText } from '#web/features/movies/viewings/star-text.tsx'
import { dayText } from '#web/i18n/dates.ts'
import { listText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { MoviePoster } from '#web/ui/movie-poster.tsx'

import { nightFilms } from './queries.ts'

/** The movies of the latest nights, who watched them, and the user's own stars. */
export function FilmList({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const { data: films = [] } = useQuery(nightFilms(watchlistId))
  if (films.length === 0) return null
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3 border-t border-line pt-6">
      <h2 id={titleId} className="text-xl">
        {t('night.films.title')}
      </h2>
      <ul className="grid gap-4 wrap-anywhere sm:grid-cols-2">
        {films.map((film) => (
          <FilmRow key={film.cardId} watchlistId={watchlistId} film={film} />
        ))}
      </ul>
    </section>
  )
}

function FilmRow({ watchlistId, film }: { watchlistId: string; film: NightFilm }) {
  const { cardId, title, poster, acceptedAt, watchedBy } = film
  return (
    <li className="flex gap-3">
      <MoviePoster
        card={{ title, ...(poster ?? { imageUrl: '', posterState: 'none' }) }}
        className="w-18 shrink-0 self-start"
      />
      <div className="min-w-0">
        <p className="font-semibold">
          <Link
            to={to.watchlist(watchlistId, cardId)}
            className="inline-flex min-h-6 items-center hover:underline pointer-coarse:min-h-11"
          >
            <bdi>{title}</bdi>
          </Link>
        </p>
        <p className="text-sm text-muted">
          <time dateTime={acceptedAt}>{dayText(acceptedAt)}</time>
          {watchedBy.length > 0 && ` · ${listText(watchedBy)}`}
        </p>
        <OwnStars watchlistId={watchlistId} cardId={cardId} />
      </div>
    </li>
  )
}

function OwnStars(place: { watchlistId: string; cardId: string }) {
  const { t } = useTranslation('moviecard')
  const { data: viewings } = useQuery(viewingsOfCard(place))
  const stars = viewings?.own?.stars
  if (typeof stars !== 'number') return null
  return (
    <p className="text-sm text-muted">
      {t('seen.you')} <StarText stars={stars} />
    </p>
  )
}
