import type { Movie, MovieIds } from '@marquee/contract/entities/movie'
import { useTranslation } from '#web/i18n/texts.ts'

import { classes } from '#web/ui/classes.ts'

import '../lazy-texts.ts'

/** Created when first needed, because each takes milliseconds. */
let list: Intl.ListFormat | undefined
let twoDigits: Intl.NumberFormat | undefined

function listText(names: readonly string[]): string {
  list ??= new Intl.ListFormat('en', { type: 'unit', style: 'short' })
  return list.format(names)
}

/** Catalogues give some genres in lower case. */
function capitalized(name: string): string {
  const [first = '', ...rest] = name
  return first.toLocaleUpperCase() + rest.join('')
}

function useRuntimeText(): (minutes: number) => string {
  const { t } = useTranslation('moviecard')
  return (runtime) => {
    const hours = Math.floor(runtime / 60)
    const minutes = runtime % 60
    if (hours === 0) return t('facts.minutes', { minutes })
    if (minutes === 0) return t('facts.hours', { hours })
    twoDigits ??= new Intl.NumberFormat('en', { minimumIntegerDigits: 2 })
    return t('facts.hoursAndMinutes', { hours, minutes: twoDigits.format(minutes) })
  }
}

/** Year, length, genres and directors in one line. */
export function useFactsText(): (movie: Pick<Movie, 'year' | 'runtimeMinutes' | 'genres' | 'directors'>) => string {
  const runtimeText = useRuntimeText()
  return ({ year, runtimeMinutes, genres, directors }) =>
    [
      year === null ? '' : String(year),
      runtimeMinutes === null ? '' : runtimeText(runtimeMinutes),
      listText(genres.map(capitalized)),
      listText(directors),
    ]
      .filter((fact) => fact !== '')
      .join(' · ')
}

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
    <div className="-mt-2 flex flex-col gap-0.5 text-sm text-muted">
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
