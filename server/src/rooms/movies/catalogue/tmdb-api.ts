import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { SourceClient } from './client.ts'
import { SourceUnavailable } from './source.ts'
import { type TitleQuery, withoutYear } from './title.ts'

export const NAME = 'tmdb'

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

/** The calls of the TMDB API. Movies that were read are remembered. */
export function openTmdbApi(client: SourceClient, tmdbUrl: string) {
  const movies = new LRUCache<string, MovieAnswer>({ max: 1000, ttl: DAY_MS })

  async function ask<T>(
    path: string,
    parameters: Record<string, string>,
    schema: z.ZodType<T>,
    deadline: AbortSignal,
  ): Promise<T | undefined> {
    const url = new URL(`${tmdbUrl}${path}?${new URLSearchParams(parameters).toString()}`)
    return await client.json(url, schema, deadline)
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

  /** The id of the movie that has this id elsewhere. */
  async function findByOtherId(source: 'imdb_id' | 'wikidata_id', id: string, deadline: AbortSignal) {
    const answer = await ask(`/find/${id}`, { external_source: source }, FindAnswer, deadline)
    return answer?.movie_results[0]?.id
  }

  return { findMovies, readMovie, findByOtherId }
}
