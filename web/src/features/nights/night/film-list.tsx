import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'

import { dayText } from '#web/i18n/dates.ts'
import { listText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

import { nightFilms } from './queries.ts'

/** The movies of the latest nights, and who watched them. */
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
      <ul className="flex flex-col gap-3 wrap-anywhere">
        {films.map(({ cardId, title, acceptedAt, watchedBy }) => (
          <li key={cardId}>
            <p className="font-semibold">
              <Link
                to={to.watchlist(watchlistId, cardId)}
                className="inline-flex min-h-6 items-center hover:underline pointer-coarse:min-h-11"
              >
                <bdi>{title}</bdi>
              </Link>
            </p>
            <p className="text-sm text-muted">
              {[dayText(acceptedAt), ...(watchedBy.length === 0 ? [] : [listText(watchedBy)])].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
