import { MovieIds } from '@marquee/contract/entities/movie'
import { MOVIE_YEARS } from '@marquee/contract/limits'

import type { MovieLink } from './source.ts'

type Reader = (path: readonly string[], host: string) => MovieLink

const SERVICES: readonly (readonly [host: RegExp, read: Reader])[] = [
  [/^(?:www\.)?themoviedb\.org$/u, (path) => withId('tmdb', /^\d+/u.exec(after(path, 'movie'))?.[0])],
  [/^(?:www\.|m\.)?imdb\.com$/u, (path) => withId('imdb', after(path, 'title'))],
  [
    /^(?:www\.)?letterboxd\.com$/u,
    (path) => ({ ...withId('letterboxd', after(path, 'film')), ...named(after(path, 'film')) }),
  ],
  [/^(?:www\.|app\.)?trakt\.tv$/u, (path) => ({ ids: {}, ...named(after(path, 'movies')) })],
  [/^(?:www\.|m\.)?wikidata\.org$/u, ([, id]) => withId('wikidata', id)],
  [/^[a-z-]+\.(?:m\.)?wikipedia\.org$/u, wikipediaPage],
]

/** What an address says about its movie; nothing for an address of an unknown kind. */
export function readMovieLink(url: URL): MovieLink {
  const path = url.pathname.split('/').filter((part) => part !== '')
  const [, read] = SERVICES.find(([host]) => host.test(url.hostname)) ?? []
  return read?.(path, url.hostname) ?? { ids: {} }
}

/** The part behind the named one, wherever it is: paths may start with a language or a member's name. */
function after(path: readonly string[], part: string): string {
  const index = path.indexOf(part)
  return index < 0 ? '' : (path[index + 1] ?? '')
}

function withId(service: keyof MovieIds, id: string | undefined): MovieLink {
  const ids = id === undefined ? undefined : MovieIds.safeParse({ [service]: id }).data
  return { ids: ids ?? {} }
}

/** `alien-1979`. A name without a year could be any of several movies. */
function named(slug: string): Pick<MovieLink, 'titleAndYear'> {
  const [, title = '', digits] = /^(.+)-(\d{4})$/u.exec(slug) ?? []
  const year = Number(digits)
  if (!(year >= MOVIE_YEARS.first && year <= MOVIE_YEARS.last)) return {}
  return { titleAndYear: { title: title.replaceAll('-', ' '), year } }
}

function wikipediaPage([first, ...rest]: readonly string[], host: string): MovieLink {
  const [language = ''] = host.split('.')
  try {
    const title = decodeURIComponent(rest.join('/')).replaceAll('_', ' ')
    return first === 'wiki' && title !== '' ? { ids: {}, wikipedia: { language, title } } : { ids: {} }
  } catch {
    return { ids: {} }
  }
}
