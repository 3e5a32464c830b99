import type { Movie } from '@marquee/contract/entities/movie'

/** In which way the worlds differ. Each is about a card in the box that others must not learn, or about a ballot. */
export const DIFFERENCES = ['movie', 'facts', 'owner', 'seen marks', 'wants', 'ballot'] as const
export type Difference = (typeof DIFFERENCES)[number]

export type WorldName = 'one' | 'other'

/** Two people who are members, and never act once the worlds differ. */
export type Silent = 'hal' | 'hana'

export type Hidden = {
  readonly title: string
  readonly description: string
  readonly image: string
  readonly movie: Partial<Movie>
}

const LONG: Hidden = {
  title: 'Vertigo Harbour',
  description: 'A detective who is afraid of heights',
  image: 'https://example.org/vertigo.jpg',
  movie: {
    year: 1958,
    runtimeMinutes: 190,
    genres: ['Mystery', 'Romance'],
    directors: ['Alma Hitchcock'],
    ids: { tmdb: '426', imdb: 'tt0052357' },
  },
}

const SHORT: Hidden = {
  title: 'Heat in Winter',
  description: 'Two robbers',
  image: 'https://example.org/heat-in-winter.jpg',
  movie: {
    year: 1995,
    runtimeMinutes: 85,
    genres: ['Crime'],
    directors: ['Michael Menn'],
    ids: { tmdb: '949', imdb: 'tt0113277' },
  },
}

/** The hidden card of a world. */
export function hiddenOf(difference: Difference, world: WorldName): Hidden {
  if (world === 'one') return LONG
  if (difference === 'movie') return SHORT
  // The same title and ids, but other facts.
  return difference === 'facts' ? { ...LONG, movie: { ...SHORT.movie, ids: LONG.movie.ids ?? {} } } : LONG
}

/** Every title that a caller may try: those of both worlds, of the feed, and of nothing. */
export const TITLES = [LONG.title, SHORT.title, 'Stalker', 'Playtime', 'Ikiru', 'Paris, Texas', 'Unknown Film']

/** Words of both hidden cards, and their beginnings, as searches. */
export const WORDS = [LONG, SHORT]
  .flatMap(({ title, movie }) => [title, ...(movie.directors ?? [])])
  .flatMap((text) => text.toLowerCase().split(' '))
  .flatMap((word) => [word, word.slice(0, 3), word.slice(0, 4)])
  .concat('stalker', 'play', 'kurosawa', 'nothing')

export const GENRES = ['Mystery', 'Romance', 'Crime', 'Drama', 'Comedy']
export const DIRECTORS = ['Alma Hitchcock', 'Michael Menn', 'Akira Kurosawa']
export const RUNTIMES = [84, 85, 86, 100, 120, 189, 190, 191, 300]
export const MOVIES: readonly Partial<Movie>[] = [LONG.movie, SHORT.movie, { year: 1979, runtimeMinutes: 162 }, {}]

/** The silent person who put the hidden card into the box. */
export function ownerOf(difference: Difference, world: WorldName): Silent {
  return difference === 'owner' && world === 'other' ? 'hana' : 'hal'
}

/**
 * Whether a caller names the movie of the hidden card of one world only: by its title or ids, or if these are the same, by a
 * year that fits one of them.
 */
export function namesHidden(difference: Difference, value: object | string): boolean {
  if (difference !== 'movie' && difference !== 'facts') return false
  const text = JSON.stringify(value).toLowerCase()
  return [LONG, SHORT].some(({ title, movie: { ids = {} } }) =>
    [title, ids.tmdb, ids.imdb].some((name) => name !== undefined && text.includes(name.toLowerCase())),
  )
}
