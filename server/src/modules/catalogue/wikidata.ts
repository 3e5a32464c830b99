import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import type { MovieIds } from '@marquee/contract/entities/movie'

import { type ClientPorts, createSourceClient } from './client.ts'
import { descriptionOf, movieOf, titleOf } from './facts.ts'
import { type FoundMovie, type Source, SourceUnavailable } from './source.ts'
import { matchOf, rank, type TitleQuery, withoutYear } from './title.ts'
import { FILM_CLASSES, FilmItem, isFilm, Terms } from './wikidata-items.ts'
import { openWikipedia, PICTURE_WIDTHS, wikiOf, type WikipediaPage } from './wikipedia.ts'

const NAME = 'wikidata'
/** Wikimedia asks for at most three requests at once; this leaves room for other processes. */
const LIMITS = { limit: { max: 300, windowSeconds: 60 }, parallel: 3 }
/** An item with all its statements has some 150 kB, so few are read. */
const MAX_FILMS = 16
const FILMS_BY_WORDS = 8
const MAX_ITEMS_PER_REQUEST = 50
const DAY_MS = 24 * 60 * 60_000
const IS_FILM = `haswbstatement:${FILM_CLASSES.map((id) => `P31=${id}`).join('|')}`

const SearchAnswer = z.object({ query: z.object({ search: z.array(z.object({ title: z.string() })) }) })
const ItemsAnswer = z.object({ entities: z.record(z.string(), FilmItem) })
const TermsAnswer = z.object({ entities: z.record(z.string(), z.object({ labels: Terms })) })
const PageAnswer = z.object({
  entities: z.record(z.string(), z.object({ id: z.string().optional(), missing: z.unknown().optional() })),
})

export type WikidataOptions = { readonly wikidataUrl: string; readonly wikipediaUrl: string }

/** Facts from Wikidata, summary and picture from Wikipedia. */
export function openWikidata({ wikidataUrl, wikipediaUrl }: WikidataOptions, ports: ClientPorts): Source {
  const client = createSourceClient(NAME, LIMITS, ports)
  const wikipedia = openWikipedia(client, wikipediaUrl)
  const films = new LRUCache<string, FilmItem>({ max: 500, ttl: DAY_MS })
  const labels = new LRUCache<string, string>({ max: 5000, ttl: DAY_MS })

  async function ask<T>(parameters: Record<string, string>, schema: z.ZodType<T>, deadline: AbortSignal): Promise<T> {
    const url = new URL(wikidataUrl)
    url.search = new URLSearchParams({ format: 'json', formatversion: '2', ...parameters }).toString()
    const answer = await client.json(url, schema, deadline)
    if (answer === undefined) throw new SourceUnavailable(NAME, 'there is no API at WIKIDATA_URL')
    return answer
  }

  async function searchIds(srsearch: string, srlimit: number, deadline: AbortSignal, srsort = 'relevance') {
    const parameters = { action: 'query', list: 'search', srnamespace: '0', srprop: '', srsearch, srsort }
    const { query } = await ask({ ...parameters, srlimit: String(srlimit) }, SearchAnswer, deadline)
    return query.search.map(({ title }) => title)
  }

  /**
   * The search by words finds titles in all languages, but no unfinished words. The search by prefix does, and also finds
   * words of the description, so its order is by fame and its results are checked against the titles.
   */
  async function findFilms(query: TitleQuery, language: string, deadline: AbortSignal): Promise<FilmItem[]> {
    const prefix = `${withoutYear(query).join(' ')}*`
    const [byWords, byPrefix] = await Promise.all([
      searchIds(`${query.words.join(' ')} ${IS_FILM}`, FILMS_BY_WORDS, deadline),
      searchIds(`${prefix} ${IS_FILM}`, MAX_FILMS, deadline, 'incoming_links_desc'),
    ])
    const ids = [...new Set([...byWords, ...byPrefix])].slice(0, MAX_FILMS)
    const found = await readFilms(ids, language, deadline)
    return found.filter(
      (film) => byWords.includes(film.id) || matchOf(withoutYear(query), titlesOf(film, language)) > 0,
    )
  }

  async function readFilms(ids: readonly string[], language: string, deadline: AbortSignal): Promise<FilmItem[]> {
    const key = (id: string) => `${id} ${language}`
    const missing = ids.filter((id) => !films.has(key(id)))
    if (missing.length > 0) {
      const { entities } = await ask(
        {
          action: 'wbgetentities',
          ids: missing.join('|'),
          props: 'labels|aliases|claims|sitelinks',
          languages: languagesOf(language).join('|'),
        },
        ItemsAnswer,
        deadline,
      )
      for (const film of Object.values(entities)) if (isFilm(film)) films.set(key(film.id), film)
    }
    return ids.flatMap((id) => films.get(key(id)) ?? [])
  }

  /** The names of items; those without a name in any of the reader's languages are left out. */
  async function readLabels(ids: readonly string[], language: string, deadline: AbortSignal) {
    const key = (id: string) => `${id} ${language}`
    const missing = [...new Set(ids)].filter((id) => !labels.has(key(id))).slice(0, MAX_ITEMS_PER_REQUEST)
    if (missing.length > 0) {
      const parameters = { action: 'wbgetentities', ids: missing.join('|'), props: 'labels' }
      const { entities } = await ask(
        { ...parameters, languages: languagesOf(language).join('|') },
        TermsAnswer,
        deadline,
      )
      for (const [id, item] of Object.entries(entities)) labels.set(key(id), labelOf(item, language) ?? '')
    }
    return (wanted: readonly string[]) => wanted.map((id) => labels.get(key(id)) ?? '').filter((name) => name !== '')
  }

  /** Pictures of the reader's Wikipedia, else of the English one. A failure costs only the pictures. */
  async function readPictures(found: readonly FilmItem[], language: string, deadline: AbortSignal) {
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

  async function readPages(film: FilmItem, language: string, deadline: AbortSignal) {
    const pages = [...new Set([wikiOf(language), 'en'])].flatMap((wiki): WikipediaPage[] => {
      const title = film.sitelinks[`${wiki}wiki`]?.title
      return title === undefined ? [] : [{ wiki, title }]
    })
    return await Promise.all(pages.map(async (page) => await wikipedia.read(page, deadline)))
  }

  return {
    name: NAME,

    search: async (query, language, deadline) => {
      const found = await findFilms(query, language, deadline)
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
        readLabels(
          ranked.flatMap(({ claims }) => claims.directors),
          language,
          deadline,
        ),
        readPictures(ranked, language, deadline),
      ])
      return ranked.map((film): FoundMovie => {
        const { year, originalTitle, directors } = movieOf({
          ...factsOf(film),
          directors: namesOf(film.claims.directors),
        })
        const title = titleIn(film, language)
        return { id: film.id, title, originalTitle, year, directors, picture: pictureOf(film) }
      })
    },

    details: async (id, language, deadline) => {
      const [film] = await readFilms([id], language, deadline)
      if (!film) return undefined
      const { directors, genres } = film.claims
      const [namesOf, pages] = await Promise.all([
        readLabels([...directors, ...genres], language, deadline),
        readPages(film, language, deadline),
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
      if (page) {
        const parameters = {
          action: 'wbgetentities',
          props: 'info',
          sites: `${page.language.replaceAll('-', '_')}wiki`,
          titles: page.title,
        }
        const { entities } = await ask({ ...parameters, normalize: '1' }, PageAnswer, deadline)
        return Object.values(entities).find(({ missing }) => missing === undefined)?.id
      }
      const statements = statementsOf(ids)
      if (statements === '') return undefined
      return (await searchIds(`haswbstatement:${statements}`, 1, deadline))[0]
    },

    ownPicture: async (url, maxBytes, deadline) =>
      url.origin === wikipedia.origin ? await client.bytes(url, maxBytes, deadline) : undefined,
  }
}

/** The reader's language, then what Wikidata falls back to. `mul` holds names that are the same in many languages. */
function languagesOf(language: string): string[] {
  const tag = language.toLowerCase()
  return [...new Set([tag, tag.split('-')[0] ?? tag, 'mul', 'en'])]
}

function labelOf(item: Pick<FilmItem, 'labels'>, language: string): string | undefined {
  return languagesOf(language).flatMap((code) => item.labels[code]?.value ?? [])[0]
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
