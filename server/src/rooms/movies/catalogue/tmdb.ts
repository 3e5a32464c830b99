import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import { DAY_MS } from '@marquee/platform/runtime/durations'

import { type ClientPorts, createSourceClient } from './client.ts'
import { descriptionOf, movieOf, titleOf } from './facts.ts'
import { type FoundMovie, type Source, SourceUnavailable } from './source.ts'
import { rank, type TitleQuery, withoutYear } from './title.ts'

const NAME = 'tmdb'
/** TMDB allows about 40 requests in a second. */
const LIMITS = { limit: { max: 200, windowSeconds: 10 }, parallel: 8 }
/** A search does not tell directors, and each costs a request. */
const RESULTS_WITH_DIRECTORS = 8
const MAX_RESULTS = 20

const Title = {
  id: z.int().transform(String),
  title: z.string().min(1),
  original_title: z.string(),
  release_date: z.string().default(''),
  poster_path: z
    .string()
    .regex(/^\/[\w.-]+$/u)
    .nullable()
    .catch(null),
}
const SearchAnswer = z.object({ results: z.array(z.object({ ...Title, vote_count: z.number().default(0) })) })
const FindAnswer = z.object({ movie_results: z.array(z.object({ id: Title.id })) })
const MovieAnswer = z.object({
  ...Title,
  original_language: z.string(),
  overview: z.string().nullable(),
  runtime: z.number().nullable(),
  genres: z.array(z.object({ name: z.string() })),
  credits: z
    .object({ crew: z.array(z.object({ job: z.string(), name: z.string() })) })
    .transform(({ crew }) => ({ directors: crew.filter(({ job }) => job === 'Director').map(({ name }) => name) })),
  external_ids: z.object({ imdb_id: z.string().nullish(), wikidata_id: z.string().nullish() }),
})
type MovieAnswer = z.output<typeof MovieAnswer>

export type TmdbOptions = { readonly token: string; readonly url: string; readonly imagesUrl: string }

/** The Movie Database, with the read access token of the operator's own account. */
export function openTmdb({ token, url, imagesUrl }: TmdbOptions, ports: ClientPorts): Source {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const client = createSourceClient(NAME, { ...LIMITS, headers }, ports)
  const images = createSourceClient('tmdb images', LIMITS, ports)
  const movies = new LRUCache<string, MovieAnswer>({ max: 1000, ttl: DAY_MS })

  async function ask<T>(
    path: string,
    parameters: Record<string, string>,
    schema: z.ZodType<T>,
    deadline: AbortSignal,
  ): Promise<T | undefined> {
    return await client.json(new URL(`${url}${path}?${new URLSearchParams(parameters).toString()}`), schema, deadline)
  }

  async function searchMovies(words: readonly string[], parameters: Record<string, string>, deadline: AbortSignal) {
    const query = { query: words.join(' '), include_adult: 'false', ...parameters }
    const answer = await ask('/search/movie', query, SearchAnswer, deadline)
    if (!answer) throw new SourceUnavailable(NAME, 'there is no API at TMDB_URL')
    return answer.results
  }

  /** The year may narrow the search or be part of the title, as in "Blade Runner 2049". */
  async function findMovies(query: TitleQuery, language: string, deadline: AbortSignal) {
    const searches = [searchMovies(query.words, { language }, deadline)]
    if (query.year !== null) {
      const year = { language, primary_release_year: String(query.year) }
      searches.push(searchMovies(withoutYear(query), year, deadline))
    }
    const found = (await Promise.all(searches)).flat()
    return [...new Map(found.map((movie) => [movie.id, movie])).values()]
  }

  async function readMovie(id: string, language: string, deadline: AbortSignal): Promise<MovieAnswer | undefined> {
    const key = `${id} ${language}`
    const known = movies.get(key)
    if (known) return known
    const parameters = { language, append_to_response: 'credits,external_ids' }
    const movie = await ask(`/movie/${id}`, parameters, MovieAnswer, deadline)
    if (movie) movies.set(key, movie)
    return movie
  }

  const pictureOf = (path: string | null, width: 'w185' | 'w500') =>
    path === null ? null : `${imagesUrl}/${width}${path}`

  return {
    name: NAME,

    search: async (query, language, deadline) => {
      const tag = tagOf(language)
      const found = (await findMovies(query, tag, deadline)).map((movie) => ({
        movie,
        titles: [movie.title, movie.original_title],
        year: yearOf(movie),
        fame: movie.vote_count,
      }))
      const ranked = rank(query, found).slice(0, MAX_RESULTS)
      const details = await Promise.allSettled(
        ranked.slice(0, RESULTS_WITH_DIRECTORS).map(async ({ movie }) => await readMovie(movie.id, tag, deadline)),
      )
      return ranked.map(({ movie, year }, index): FoundMovie => {
        const detail = details[index]
        return {
          id: movie.id,
          title: titleOf(movie.title),
          originalTitle: titleOf(movie.original_title),
          year,
          directors: detail?.status === 'fulfilled' ? (detail.value?.credits.directors ?? []) : [],
          picture: pictureOf(movie.poster_path, 'w185'),
        }
      })
    },

    details: async (id, language, deadline) => {
      const tag = tagOf(language)
      const answer = /^\d+$/u.test(id) ? await readMovie(id, tag, deadline) : undefined
      if (!answer) return undefined
      // TMDB has many titles, but not as many summaries, in each language.
      const inEnglish = answer.overview || tag === 'en' ? answer : await readMovie(id, 'en', deadline)
      return {
        title: titleOf(answer.title),
        description: descriptionOf(answer.overview || inEnglish?.overview),
        picture: pictureOf(answer.poster_path, 'w500'),
        movie: movieOf({
          source: NAME,
          year: yearOf(answer),
          runtimeMinutes: answer.runtime,
          genres: answer.genres.map(({ name }) => name),
          directors: answer.credits.directors,
          originalTitle: answer.original_title,
          language: languageOf(answer.original_language),
          ids: { tmdb: answer.id, imdb: answer.external_ids.imdb_id, wikidata: answer.external_ids.wikidata_id },
        }),
      }
    },

    fromLink: async ({ ids }, deadline) => {
      if (ids.tmdb !== undefined) return ids.tmdb
      for (const [external_source, id] of [
        ['imdb_id', ids.imdb],
        ['wikidata_id', ids.wikidata],
      ] as const) {
        if (id === undefined) continue
        const answer = await ask(`/find/${id}`, { external_source }, FindAnswer, deadline)
        const [movie] = answer?.movie_results ?? []
        if (movie) return movie.id
      }
      return undefined
    },

    ownPicture: async (address, maxBytes, deadline) =>
      address.href.startsWith(`${imagesUrl}/`) ? await images.bytes(address, maxBytes, deadline) : undefined,
  }
}

/** TMDB writes the region in capitals: `pt-BR`. */
function tagOf(language: string): string {
  const [primary = 'en', region] = language.split('-')
  return region?.length === 2 ? `${primary.toLowerCase()}-${region.toUpperCase()}` : primary.toLowerCase()
}

function yearOf({ release_date: date }: { release_date: string }): number | null {
  return /^\d{4}/u.test(date) ? Number(date.slice(0, 4)) : null
}

/** TMDB has two codes of its own: `cn` for Cantonese, and `xx` for films without speech. */
function languageOf(code: string): string | null {
  if (code === 'xx') return null
  return code === 'cn' ? 'yue' : code
}
