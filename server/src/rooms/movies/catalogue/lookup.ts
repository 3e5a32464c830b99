import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'

import { linkIn } from '@marquee/contract/rules/link'
import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import { acceptedTypeOf } from '../images/service.ts'
import { compareMovies } from '../same-movie/service.ts'
import { fetchPage } from './fetch-page.ts'
import { readMovieLink } from './links.ts'
import type { FetchedPage, MoviePage } from './page.ts'
import { type FoundMovie, type MovieDetails, type MovieLink, type Source, SourceUnavailable } from './source.ts'
import { openTmdb, type TmdbOptions } from './tmdb.ts'
import { readQuery } from './title.ts'
import { openWikidata, type WikidataOptions, type WikidataPorts } from './wikidata.ts'

const SEARCH_TTL_MS = 10 * MINUTE_MS
const DETAILS_TTL_MS = HOUR_MS
const PARALLEL_PAGES = 8
const MAX_WAITING_PAGES = 32

export type LookupOptions = {
  readonly source: ({ readonly kind: 'wikidata' } & WikidataOptions) | ({ readonly kind: 'tmdb' } & TmdbOptions)
  /** What differs from the public internet where an address does not come from the settings. */
  readonly guard?: Partial<GuardedFetchOptions>
}

export type LookupPorts = WikidataPorts & {
  /** Reads a page under limits of time and memory; undefined if it breaks them. */
  readonly parsePage: (page: FetchedPage, deadline: AbortSignal) => Promise<MoviePage | undefined>
}

export type Picture = { readonly bytes: Buffer; readonly type: string }

/** Movies of one source and of web pages, with what was asked before from memory. */
export type Lookup = {
  readonly source: string
  readonly search: (text: string, language: string, deadline: AbortSignal) => Promise<readonly FoundMovie[]>
  readonly details: (id: string, language: string, deadline: AbortSignal) => Promise<MovieDetails | undefined>
  /** Undefined if no movie is found there, for whatever reason: the reason would map the network of this server. */
  readonly fromLink: (text: string, language: string, deadline: AbortSignal) => Promise<MovieDetails | undefined>
  /** The movie with these ids, else the only one with this title and year. */
  readonly match: (link: MovieLink, language: string, deadline: AbortSignal) => Promise<MovieDetails | undefined>
  /** Undefined if there is no picture at the address. Only one that the source named may be at the source itself. */
  readonly picture: (address: string, namedBy: string | null, deadline: AbortSignal) => Promise<Picture | undefined>
}

/** `inBackground` leaves room for members' requests and remembers its own answers. No member waits for its requests. */
export function openLookup(
  { source: options, guard }: LookupOptions,
  ports: LookupPorts,
): Lookup & { readonly inBackground: Lookup } {
  const { inBackground, ...source } = options.kind === 'tmdb' ? openTmdb(options, ports) : openWikidata(options, ports)
  return { ...lookupIn(source, ports, guard), inBackground: lookupIn(inBackground, ports, guard) }
}

function lookupIn(source: Source, ports: LookupPorts, guard: LookupOptions['guard']): Lookup {
  const { search, details } = remember(source)
  const readPage = pageReader(ports, guard)

  async function findId(link: MovieLink, language: string, deadline: AbortSignal): Promise<string | undefined> {
    const id = await source.fromLink(link, deadline)
    if (id !== undefined || !link.titleAndYear) return id
    const { title, year } = link.titleAndYear
    const found = await search(`${title} ${year}`, language, deadline)
    const wanted = { title, movie: { year, originalTitle: null, ids: {} } }
    const same = found.filter(
      (other) => compareMovies(wanted, { title: other.title, movie: { ...other, ids: {} } }) === 'same',
    )
    return same.length === 1 ? same[0]?.id : undefined
  }

  return {
    source: source.name,
    search,
    details,

    match: async (link, language, deadline) => {
      const id = await findId(link, language, deadline)
      return id === undefined ? undefined : await details(id, language, deadline)
    },

    fromLink: async (text, language, deadline) => {
      const url = linkIn(text)
      if (url === undefined) return undefined
      const id = await findId(readMovieLink(new URL(url)), language, deadline)
      if (id !== undefined) return await details(id, language, deadline)
      const page = await readPage(url, deadline)
      const idOnPage = page && (await source.fromLink({ ids: page.ids }, deadline))
      return (idOnPage && (await details(idOnPage, language, deadline))) || page?.details
    },

    picture: async (address, namedBy, deadline) => {
      const isNamedBySource = namedBy === source.name
      const own = isNamedBySource ? await source.ownPicture(new URL(address), MAX_IMAGE_BYTES, deadline) : undefined
      const bytes = own ?? (await fetchGuarded(address, { userAgent: ports.userAgent, signal: deadline, ...guard }))
      const type = bytes && acceptedTypeOf(bytes)
      return bytes && type !== undefined ? { bytes, type: `image/${type}` } : undefined
    },
  }
}

/** What the source answered before is given from memory. */
function remember(source: Source): Pick<Lookup, 'search' | 'details'> {
  // `fetch` of these caches makes one request of equal ones that run at the same time.
  const searches = new LRUCache<string, readonly FoundMovie[], Context>({
    max: 1000,
    ttl: SEARCH_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { text, language, deadline } }) => {
      const query = readQuery(text)
      return query.words.length === 0 ? [] : await source.search(query, language, deadline)
    },
  })
  const movies = new LRUCache<string, MovieDetails, Context>({
    max: 500,
    ttl: DETAILS_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { text, language, deadline } }) =>
      await source.details(text, language, deadline),
  })

  return {
    search: async (text, language, deadline) => {
      const key = `${language} ${readQuery(text).words.join(' ')}`
      return (await searches.fetch(key, { context: { text, language, deadline } })) ?? []
    },

    details: async (id, language, deadline) =>
      await movies.fetch(`${language} ${id}`, { context: { text: id, language, deadline } }),
  }
}

type Context = { text: string; language: string; deadline: AbortSignal }

/** Reads few pages at once: each may take as much time and memory as its limits allow. */
function pageReader({ parsePage, userAgent }: LookupPorts, guard: LookupOptions['guard']) {
  const pages = pLimit(PARALLEL_PAGES)

  return async (url: string, deadline: AbortSignal): Promise<MoviePage | undefined> => {
    if (pages.pendingCount >= MAX_WAITING_PAGES) throw new SourceUnavailable('pages', 'too many requests are waiting')
    try {
      return await pages(async () => {
        const page = await fetchPage(url, { userAgent, signal: deadline, ...guard })
        return await parsePage(page, deadline)
      })
    } catch (error) {
      if (error instanceof RefusedUrl) return undefined
      throw error
    }
  }
}

async function fetchGuarded(address: string, options: Partial<GuardedFetchOptions>): Promise<Buffer | undefined> {
  const limits = { maxBytes: MAX_IMAGE_BYTES, timeoutMs: 4_000, maxRedirects: 3, accept: 'image/*' }
  try {
    return (await guardedFetch(address, { ...limits, ...options })).bytes
  } catch (error) {
    if (error instanceof RefusedUrl) return undefined
    throw error
  }
}
