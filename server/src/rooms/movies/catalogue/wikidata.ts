import type { MovieIds } from '@marquee/contract/entities/movie'

import { type ClientPorts, createSourceClient, type SourceClient } from './client.ts'
import { descriptionOf, movieOf, titleOf } from './facts.ts'
import type { FoundMovie, OpenSource, Source } from './source.ts'
import { matchOf, rank, type TitleQuery, withoutYear } from './title.ts'
import { labelOf, languagesOf, NAME, openWikidataApi, type ParseFilms } from './wikidata-api.ts'
import { FILM_CLASSES, type FilmItem } from './wikidata-items.ts'
import { openWikipedia, PICTURE_WIDTHS, wikiOf, type WikipediaPage } from './wikipedia.ts'

/** Wikimedia asks for at most three requests at once; this leaves room for other processes. */
const LIMITS = { limit: { max: 300, windowSeconds: 60 }, parallel: 3 }
/** An item with all its statements has some 150 kB, so few are read. */
const MAX_FILMS = 16
const FILMS_BY_WORDS = 8
const IS_FILM = `haswbstatement:${FILM_CLASSES.map((id) => `P31=${id}`).join('|')}`

type WikidataApi = ReturnType<typeof openWikidataApi>
type Wikipedia = ReturnType<typeof openWikipedia>

export type WikidataPorts = ClientPorts & { readonly parseFilms: ParseFilms }

export type WikidataOptions = { readonly wikidataUrl: string; readonly wikipediaUrl: string }

/** Facts from Wikidata, summary and picture from Wikipedia. */
export function openWikidata(options: WikidataOptions, ports: WikidataPorts): OpenSource {
  const client = createSourceClient(NAME, LIMITS, ports)
  return { ...sourceOf(options, client, ports), inBackground: sourceOf(options, client.inBackground, ports) }
}

function sourceOf(
  { wikidataUrl, wikipediaUrl }: WikidataOptions,
  client: SourceClient,
  { parseFilms }: Pick<WikidataPorts, 'parseFilms'>,
): Source {
  const wikipedia = openWikipedia(client, wikipediaUrl)
  const api = openWikidataApi(client, wikidataUrl, parseFilms)

  return {
    name: NAME,

    search: async (query, language, deadline) => await searchFilms(api, wikipedia, { query, language, deadline }),

    details: async (id, language, deadline) => {
      const [film] = await api.readFilms([id], language, deadline)
      if (!film) return undefined
      const { directors, genres } = film.claims
      const [namesOf, pages] = await Promise.all([
        api.readLabels([...directors, ...genres], language, deadline),
        readPages(wikipedia, film, language, deadline),
      ])
      return {
        title: titleIn(film, language),
        description: descriptionOf(pages.find(({ summary }) => summary !== null)?.summary),
        picture: pages.find(({ picture }) => picture !== null)?.picture ?? null,
        movie: movieOf({
          ...factsOf(film),
          directors: namesOf(directors),
          genres: namesOf(genres).map((genre) => genreName(genre, language)),
        }),
      }
    },

    fromLink: async ({ ids, wikipedia: page }, deadline) => {
      if (ids.wikidata !== undefined) return ids.wikidata
      if (page) return await api.findByPage(page, deadline)
      const statements = statementsOf(ids)
      if (statements === '') return undefined
      return (await api.searchIds(`haswbstatement:${statements}`, 1, deadline))[0]
    },

    ownPicture: async (url, maxBytes, deadline) =>
      url.origin === wikipedia.origin ? await client.bytes(url, maxBytes, deadline) : undefined,
  }
}

type Search = { query: TitleQuery; language: string; deadline: AbortSignal }

async function searchFilms(
  api: WikidataApi,
  wikipedia: Wikipedia,
  { query, language, deadline }: Search,
): Promise<FoundMovie[]> {
  const found = await findFilms(api, query, language, deadline)
  const ranked = rank(
    query,
    found.map((film) => ({
      film,
      titles: titlesOf(film, language),
      year: film.claims.year,
      fame: Object.keys(film.sitelinks).length,
    })),
  ).map(({ film }) => film)
  const [namesOf, pictureOf] = await Promise.all([
    api.readLabels(
      ranked.flatMap(({ claims }) => claims.directors),
      language,
      deadline,
    ),
    readPictures(wikipedia, ranked, language, deadline),
  ])
  return ranked.map((film): FoundMovie => {
    const { year, originalTitle, directors } = movieOf({
      ...factsOf(film),
      directors: namesOf(film.claims.directors),
    })
    const title = titleIn(film, language)
    return { id: film.id, title, originalTitle, year, directors, picture: pictureOf(film) }
  })
}

/**
 * The search by words finds titles in all languages, but no unfinished words. The search by prefix finds those too, but it
 * also searches descriptions. So its results are ordered by fame and checked against the titles.
 */
async function findFilms(
  api: WikidataApi,
  query: TitleQuery,
  language: string,
  deadline: AbortSignal,
): Promise<FilmItem[]> {
  const prefix = `${withoutYear(query).join(' ')}*`
  const [byWords, byPrefix] = await Promise.all([
    api.searchIds(`${query.words.join(' ')} ${IS_FILM}`, FILMS_BY_WORDS, deadline),
    api.searchIds(`${prefix} ${IS_FILM}`, MAX_FILMS, deadline, 'incoming_links_desc'),
  ])
  const ids = [...new Set([...byWords, ...byPrefix])].slice(0, MAX_FILMS)
  const found = await api.readFilms(ids, language, deadline)
  return found.filter((film) => byWords.includes(film.id) || matchOf(withoutYear(query), titlesOf(film, language)) > 0)
}

/** Pictures of the reader's Wikipedia, else of the English one. A failure costs only the pictures. */
async function readPictures(wikipedia: Wikipedia, found: readonly FilmItem[], language: string, deadline: AbortSignal) {
  const wikis = [...new Set([wikiOf(language), 'en'])]
  const answers = await Promise.allSettled(
    wikis.map(async (wiki) => {
      const titles = found.flatMap((film) => film.sitelinks[`${wiki}wiki`]?.title ?? [])
      return await wikipedia.picturesOf(wiki, titles, PICTURE_WIDTHS.result, deadline)
    }),
  )
  return (film: FilmItem): string | null => {
    const pictures = answers.map((answer, index) => {
      const title = film.sitelinks[`${wikis[index] ?? ''}wiki`]?.title ?? ''
      return answer.status === 'fulfilled' ? answer.value.get(title) : undefined
    })
    return pictures.find((picture) => picture !== undefined) ?? null
  }
}

async function readPages(wikipedia: Wikipedia, film: FilmItem, language: string, deadline: AbortSignal) {
  const pages = [...new Set([wikiOf(language), 'en'])].flatMap((wiki): WikipediaPage[] => {
    const title = film.sitelinks[`${wiki}wiki`]?.title
    return title === undefined ? [] : [{ wiki, title }]
  })
  return await Promise.all(pages.map(async (page) => await wikipedia.read(page, deadline)))
}

function titleIn(film: FilmItem, language: string): string {
  return titleOf(labelOf(film, language) ?? film.claims.originalTitle ?? film.id)
}

/** All titles that are known of a film in languages that the reader may type. */
function titlesOf({ labels, aliases, claims }: FilmItem, language: string): (string | null)[] {
  const codes = languagesOf(language)
  const names = codes.flatMap((code) => [labels[code], ...(aliases[code] ?? [])])
  return [claims.originalTitle, ...names.map((name) => name?.value ?? null)]
}

function factsOf({ id, claims }: FilmItem) {
  return { ...claims, source: NAME, directors: [], genres: [], ids: { ...claims.ids, wikidata: id } }
}

/** Genres are items such as "horror film". English drops the last word; other languages have no such simple rule. */
function genreName(label: string, language: string): string {
  const short = language.startsWith('en') ? label.replace(/ film$/u, '') : label
  return short.slice(0, 1).toLocaleUpperCase(language) + short.slice(1)
}

function statementsOf({ tmdb, imdb, letterboxd }: MovieIds): string {
  const values = { P4947: tmdb, P345: imdb, P6127: letterboxd }
  return Object.entries(values)
    .flatMap(([property, value]) => (value === undefined ? [] : [`${property}=${value}`]))
    .join('|')
}
