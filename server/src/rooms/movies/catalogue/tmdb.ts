import { type ClientPorts, createSourceClient, type SourceClient } from './client.ts'
import { descriptionOf, movieOf, titleOf } from './facts.ts'
import type { FoundMovie, OpenSource, Source } from './source.ts'
import { rank, type TitleQuery } from './title.ts'
import { NAME, openTmdbApi } from './tmdb-api.ts'

/** TMDB allows about 40 requests in a second. */
export const LIMITS = { limit: { max: 200, windowSeconds: 10 }, parallel: 8 }
/** A search does not return directors. Those of each movie cost a request. */
const RESULTS_WITH_DIRECTORS = 8
const MAX_RESULTS = 20

export type TmdbOptions = { readonly token: string; readonly url: string; readonly imagesUrl: string }

/** The Movie Database, with the read access token of the operator's own account. */
export function openTmdb(options: TmdbOptions, ports: ClientPorts): OpenSource {
  const headers = { authorization: `Bearer ${options.token}`, accept: 'application/json' }
  const client = createSourceClient(NAME, { ...LIMITS, headers }, ports)
  const images = createSourceClient('tmdb images', LIMITS, ports)
  return {
    ...sourceOf(options, client, images),
    inBackground: sourceOf(options, client.inBackground, images.inBackground),
  }
}

function sourceOf({ url, imagesUrl }: TmdbOptions, client: SourceClient, images: SourceClient): Source {
  const api = openTmdbApi(client, url)
  const pictureOf = (path: string | null, width: 'w185' | 'w500') =>
    path === null ? null : `${imagesUrl}/${width}${path}`

  return {
    name: NAME,

    search: async (query, language, deadline) => {
      const found = await findWithDirectors(api, query, tagOf(language), deadline)
      return found.map(({ movie, year, directors }): FoundMovie => ({
        id: movie.id,
        title: titleOf(movie.title),
        originalTitle: titleOf(movie.original_title),
        year,
        directors,
        picture: pictureOf(movie.poster_path, 'w185'),
      }))
    },

    details: async (id, language, deadline) => {
      const tag = tagOf(language)
      const answer = /^\d+$/u.test(id) ? await api.readMovie(id, tag, deadline) : undefined
      if (!answer) return undefined
      // TMDB has many titles, but not as many summaries, in each language.
      const inEnglish = answer.overview || tag === 'en' ? answer : await api.readMovie(id, 'en', deadline)
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
      const byImdb = ids.imdb === undefined ? undefined : await api.findByOtherId('imdb_id', ids.imdb, deadline)
      if (byImdb !== undefined || ids.wikidata === undefined) return byImdb
      return await api.findByOtherId('wikidata_id', ids.wikidata, deadline)
    },

    ownPicture: async (address, maxBytes, deadline) =>
      address.href.startsWith(`${imagesUrl}/`) ? await images.bytes(address, maxBytes, deadline) : undefined,
  }
}

/** The best results. Only the directors of the first ones are read; a failure costs only the directors. */
async function findWithDirectors(
  api: ReturnType<typeof openTmdbApi>,
  query: TitleQuery,
  language: string,
  deadline: AbortSignal,
) {
  const found = (await api.findMovies(query, language, deadline)).map((movie) => ({
    movie,
    titles: [movie.title, movie.original_title],
    year: yearOf(movie),
    fame: movie.vote_count,
  }))
  const ranked = rank(query, found).slice(0, MAX_RESULTS)
  const details = await Promise.allSettled(
    ranked.slice(0, RESULTS_WITH_DIRECTORS).map(async ({ movie }) => await api.readMovie(movie.id, language, deadline)),
  )
  return ranked.map(({ movie, year }, index) => {
    const detail = details[index]
    return { movie, year, directors: detail?.status === 'fulfilled' ? (detail.value?.credits.directors ?? []) : [] }
  })
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
