import { FILMS, type Film } from './films.ts'
import type { Answer } from './watch-providers.ts'
import { answerOffers, answerServices } from './watch-providers.ts'
import { filmItemId, foldedWords } from './wikidata.ts'

const TOKEN = 'a-read-access-token'

/** Films whose id is not certain have one that TMDB does not use. */
const tmdbId = (film: Film) => Number(film.ids.tmdb ?? 990_000_000 + FILMS.indexOf(film))

export const TMDB_TOKEN = TOKEN

/** `/search/movie`, `/movie/{id}`, `/find/{id}` and the watch providers of version 3. */
export function answerTmdb(path: string, query: URLSearchParams, authorization: string | undefined): Answer {
  if (authorization !== `Bearer ${TOKEN}`) return refusal(401, 7, 'Invalid API key: You must be granted a valid key.')
  const isGerman = query.get('language')?.startsWith('de') === true
  const [, kind, id = ''] = path.split('/')
  if (kind === 'search') return { status: 200, body: search(query, isGerman) }
  if (kind === 'find') return { status: 200, body: find(id, query.get('external_source') ?? '', isGerman) }
  if (path.startsWith('/watch/providers/')) return answerServices(path, query)
  const film = kind === 'movie' ? FILMS.find((candidate) => tmdbId(candidate) === Number(id)) : undefined
  if (!film) return refusal(404, 34, 'The resource you requested could not be found.')
  if (path.includes('/watch/')) return answerOffers(path, query, tmdbId(film))
  return { status: 200, body: details(film, isGerman, query.get('append_to_response') ?? '') }
}

function refusal(status: number, code: number, message: string): Answer {
  return { status, body: { success: false, status_code: code, status_message: message } }
}

function search(query: URLSearchParams, isGerman: boolean): object {
  const typed = foldedWords(query.get('query') ?? '')
  const year = query.get('primary_release_year')
  const results = FILMS.filter((film) => {
    const words = foldedWords(film.title, film.originalTitle, film.german ?? '')
    const matches = typed.every((part) => words.some((word) => word.startsWith(part)))
    return matches && (year === null || film.year === Number(year))
  }).map((film) => summary(film, isGerman))
  return { page: 1, results: results.slice(0, 20), total_pages: 1, total_results: results.length }
}

function find(id: string, source: string, isGerman: boolean): object {
  const film = FILMS.find((candidate) => (source === 'imdb_id' ? candidate.ids.imdb : filmItemId(candidate)) === id)
  const movies = film ? [{ ...summary(film, isGerman), media_type: 'movie' }] : []
  return { movie_results: movies, person_results: [], tv_results: [], tv_episode_results: [], tv_season_results: [] }
}

function summary(film: Film, isGerman: boolean) {
  return {
    adult: false,
    backdrop_path: null,
    genre_ids: [18],
    id: tmdbId(film),
    original_language: film.language,
    original_title: film.originalTitle,
    // TMDB has no summary in a language without a translation.
    overview: isGerman && film.german === undefined ? '' : `${film.title} is a film from ${film.year}.`,
    popularity: 10,
    poster_path: `/${tmdbId(film)}.png`,
    release_date: `${film.year}-05-25`,
    title: isGerman ? (film.german ?? film.title) : film.title,
    video: false,
    vote_average: 7.5,
    vote_count: 1000 - FILMS.indexOf(film),
  }
}

function details(film: Film, isGerman: boolean, appended: string): object {
  const { genre_ids: _ids, ...rest } = summary(film, isGerman)
  const crew = film.directors.map((name) => ({ name, job: 'Director', department: 'Directing' }))
  return {
    ...rest,
    genres: film.genres.map((name, index) => ({ id: index + 1, name: name[0]?.toUpperCase() + name.slice(1) })),
    imdb_id: film.ids.imdb ?? null,
    runtime: film.minutes,
    status: 'Released',
    ...(appended.includes('credits') && {
      credits: { cast: [], crew: [{ name: 'An editor', job: 'Editor' }, ...crew] },
    }),
    ...(appended.includes('external_ids') && {
      external_ids: { imdb_id: film.ids.imdb ?? null, wikidata_id: film.ids.wikidata ?? null, facebook_id: null },
    }),
  }
}
