import type { Movie, MovieIds } from '@marquee/contract/entities/movie'

import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { classes } from '#web/ui/classes.ts'

import '../lazy-texts.ts'

const PAGES = {
  tmdb: (id) => `https://www.themoviedb.org/movie/${id}`,
  imdb: (id) => `https://www.imdb.com/title/${id}/`,
  letterboxd: (id) => `https://letterboxd.com/film/${id}/`,
  wikidata: (id) => `https://www.wikidata.org/wiki/${id}`,
} as const satisfies Record<keyof MovieIds, (id: string) => string>

const SERVICES = ['tmdb', 'imdb', 'letterboxd', 'wikidata'] as const

/** The facts about a movie, and links to its pages at other services. */
export function MovieFacts({ title, movie }: { title: string; movie: Movie }) {
  const { t } = useTranslation('moviecard')
  const factsText = useFactsText()
  const links = SERVICES.flatMap((service) => {
    const id = movie.ids[service]
    return id === undefined ? [] : { service, href: PAGES[service](id) }
  })
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <p className="empty:hidden">{factsText(movie)}</p>
      <ul aria-label={t('facts.links', { title })} className="flex flex-wrap gap-x-3 empty:hidden">
        {links.map(({ service, href }) => (
          <li key={service}>
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className={classes(
                'inline-flex min-h-6 items-center text-xs underline underline-offset-3 hover:text-text',
                'pointer-coarse:min-h-11',
              )}
            >
              {t(`facts.services.${service}`)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
