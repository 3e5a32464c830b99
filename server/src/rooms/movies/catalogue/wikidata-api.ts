import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { SourceClient } from './client.ts'
import { SourceUnavailable } from './source.ts'
import { type FilmItem, isFilm, Terms } from './wikidata-items.ts'

export const NAME = 'wikidata'
const MAX_ITEMS_PER_REQUEST = 50
const MAX_FILMS_BYTES = 16 * 1024 * 1024

const SearchAnswer = z.object({ query: z.object({ search: z.array(z.object({ title: z.string() })) }) })
const TermsAnswer = z.object({ entities: z.record(z.string(), z.object({ labels: Terms })) })
const PageAnswer = z.object({
  entities: z.record(z.string(), z.object({ id: z.string().optional(), missing: z.unknown().optional() })),
})

/** Reads what `wbgetentities` answered in a thread. @throws {SourceUnavailable} */
export type ParseFilms = (body: Buffer, deadline: AbortSignal) => Promise<FilmItem[]>

/** The calls of the Wikidata API. Items that were read are remembered. */
export function openWikidataApi(client: SourceClient, wikidataUrl: string, parseFilms: ParseFilms) {
  const films = new LRUCache<string, FilmItem>({ max: 500, ttl: DAY_MS })
  const labels = new LRUCache<string, string>({ max: 5000, ttl: DAY_MS })

  const ask = asker(client, wikidataUrl)

  async function searchIds(srsearch: string, srlimit: number, deadline: AbortSignal, srsort = 'relevance') {
    const parameters = { action: 'query', list: 'search', srnamespace: '0', srprop: '', srsearch, srsort }
    const { query } = await ask({ ...parameters, srlimit: String(srlimit) }, SearchAnswer, deadline)
    return query.search.map(({ title }) => title)
  }

  async function readFilms(ids: readonly string[], language: string, deadline: AbortSignal): Promise<FilmItem[]> {
    const key = (id: string) => `${id} ${language}`
    const missing = ids.filter((id) => !films.has(key(id)))
    if (missing.length > 0) {
      const parameters = {
        action: 'wbgetentities',
        ids: missing.join('|'),
        props: 'labels|aliases|claims|sitelinks',
        languages: languagesOf(language).join('|'),
      }
      const body = found(await client.bytes(addressOf(wikidataUrl, parameters), MAX_FILMS_BYTES, deadline))
      for (const film of await parseFilms(body, deadline)) if (isFilm(film)) films.set(key(film.id), film)
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

  /** The item of a page of Wikipedia. */
  async function findByPage(page: { language: string; title: string }, deadline: AbortSignal) {
    const parameters = {
      action: 'wbgetentities',
      props: 'info',
      sites: `${page.language.replaceAll('-', '_')}wiki`,
      titles: page.title,
    }
    const { entities } = await ask({ ...parameters, normalize: '1' }, PageAnswer, deadline)
    return Object.values(entities).find(({ missing }) => missing === undefined)?.id
  }

  return { searchIds, readFilms, readLabels, findByPage }
}

function asker(client: SourceClient, wikidataUrl: string) {
  return async <T>(parameters: Record<string, string>, schema: z.ZodType<T>, deadline: AbortSignal): Promise<T> => {
    return found(await client.json(addressOf(wikidataUrl, parameters), schema, deadline))
  }
}

function addressOf(wikidataUrl: string, parameters: Record<string, string>): URL {
  const url = new URL(wikidataUrl)
  url.search = new URLSearchParams({ format: 'json', formatversion: '2', ...parameters }).toString()
  return url
}

function found<T>(answer: T | undefined): T {
  if (answer === undefined) throw new SourceUnavailable(NAME, 'there is no API at WIKIDATA_URL')
  return answer
}

/** The reader's language, then what Wikidata falls back to. `mul` holds names that are the same in many languages. */
export function languagesOf(language: string): string[] {
  const tag = language.toLowerCase()
  return [...new Set([tag, tag.split('-')[0] ?? tag, 'mul', 'en'])]
}

export function labelOf(item: Pick<FilmItem, 'labels'>, language: string): string | undefined {
  return languagesOf(language).flatMap((code) => item.labels[code]?.value ?? [])[0]
}
