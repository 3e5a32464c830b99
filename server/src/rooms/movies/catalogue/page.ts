import { type Handler, Parser } from 'htmlparser2'
import { z } from 'zod'

import type { MovieIds } from '@marquee/contract/entities/movie'

import { descriptionOf, movieOf, type RawFacts, titleOf } from './facts.ts'
import { readMovieLink } from './links.ts'
import type { MovieDetails } from './source.ts'

/** These list the ids of their movie as links. On any other page a link may lead to another movie. */
const LINKS_OWN_MOVIE = /(?:^|\.)(?:letterboxd\.com|trakt\.tv)$/u

/**
 * What is read of a page, whose author may want to keep this process busy: its first values of each kind, and the beginning
 * of a text.
 */
const MAX_VALUES = 100
const MAX_LINKS = 2_000
const MAX_TEXT_LENGTH = 10_000
/** The work of the parser grows with the square of the depth. */
const MAX_DEPTH = 256

/** Letterboxd puts `/* <![CDATA[ *\/` in front of its JSON, and the end of it behind. */
const COMMENT = /^\s*\/\*[^*]*\*\/|\/\*[^*]*\*\/\s*$/gu

export type MoviePage = { readonly details: MovieDetails | undefined; readonly ids: MovieIds }

/** What was fetched, cut to the size that is read. `url` is its own, after redirects. */
export type FetchedPage = { readonly bytes: Uint8Array; readonly contentType: string; readonly url: string }

/** Reads the movie of a page from JSON-LD or OpenGraph data. It runs in a thread under limits. */
export function readMoviePage({ bytes, contentType, url }: FetchedPage): MoviePage {
  const address = new URL(url)
  const content = parse(decode(bytes, contentType))
  const ids = idsOf(content, address)
  const { title, description, picture, released, ...facts } = {
    ...movieInOpenGraph(content),
    ...movieInJsonLd(content),
  }
  if (title === undefined || titleOf(title) === '') return { details: undefined, ids }
  return {
    details: {
      title: titleOf(title),
      description: descriptionOf(description),
      picture: pictureAt(picture, address),
      movie: movieOf({ ...NO_FACTS, ...facts, year: yearIn(released), source: 'page', ids }),
    },
    ids,
  }
}

type PageFacts = Pick<RawFacts, 'runtimeMinutes' | 'genres' | 'directors' | 'language'> &
  Record<'title' | 'description' | 'picture' | 'released', string | undefined>

const NO_FACTS = { runtimeMinutes: null, genres: [], directors: [], originalTitle: null, language: null }

type Content = { meta: Map<string, string>; nodes: unknown[]; links: string[] }

function parse(html: string): Content {
  const content: Content = { meta: new Map(), nodes: [], links: [] }
  let script: string | undefined
  readHtml(html, {
    onopentag: (name, attributes) => {
      const { property, name: key = property, content: value, href, type } = attributes
      const isNew = key !== undefined && value !== undefined && !content.meta.has(key)
      if (name === 'meta' && isNew) content.meta.set(key, value.slice(0, MAX_TEXT_LENGTH))
      if (name === 'a' && href !== undefined) content.links.push(href)
      if (name === 'script' && type === 'application/ld+json') script = ''
      // Letterboxd has the id on the body of a page, too.
      const { 'data-tmdb-type': kind, 'data-tmdb-id': id } = attributes
      if (kind === 'movie' && id !== undefined) content.links.push(`https://www.themoviedb.org/movie/${id}`)
    },
    ontext: (text) => {
      if (script !== undefined) script += text
    },
    onclosetag: (name) => {
      if (name !== 'script' || script === undefined) return
      content.nodes.push(...nodesIn(script).slice(0, MAX_VALUES - content.nodes.length))
      script = undefined
    },
  })
  return content
}

/** Reads HTML until its elements are nested too deeply. Returns how many elements it has opened. */
export function readHtml(html: string, { onopentag, ontext, onclosetag }: Partial<Pick<Handler, Used>>): number {
  let depth = 0
  let opened = 0
  const parser = new Parser({
    ...(ontext && { ontext }),
    onopentagname: () => {
      opened += 1
      depth += 1
      if (depth > MAX_DEPTH) parser.pause()
    },
    onopentag: (...element) => {
      if (depth <= MAX_DEPTH) onopentag?.(...element)
    },
    onclosetag: (...element) => {
      depth -= 1
      onclosetag?.(...element)
    },
  })
  parser.write(html)
  if (depth <= MAX_DEPTH) parser.end()
  return opened
}
type Used = 'onopentag' | 'ontext' | 'onclosetag'

/** The objects of a JSON-LD script, which may be one, a list or a graph. */
function nodesIn(script: string): unknown[] {
  try {
    const json: unknown = JSON.parse(script.replaceAll(COMMENT, ''))
    const list: unknown[] = Array.isArray(json) ? json : [json]
    return list.flatMap((node) => (isGraph(node) ? node['@graph'] : [node]))
  } catch {
    return []
  }
}

function isGraph(node: unknown): node is { '@graph': unknown[] } {
  return typeof node === 'object' && node !== null && '@graph' in node && Array.isArray(node['@graph'])
}

/** Publishers write one value where schema.org allows several, and leave out what they like. */
function several<T extends z.ZodType>(schema: T) {
  const first = z.array(z.unknown()).transform((values) => values.slice(0, MAX_VALUES))
  return z.union([first.pipe(z.array(schema)), schema.transform((value) => [value])]).catch([])
}
const optional = z.string().catch('')
const named = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const image = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)])

const Related = z.object({ sameAs: several(z.string()), mainEntity: optional })
const LdMovie = z.object({
  '@type': several(z.string()).refine((types) => types.includes('Movie')),
  name: z.string().min(1),
  description: optional,
  image: several(image),
  datePublished: optional,
  dateCreated: optional,
  releasedEvent: several(z.object({ startDate: z.string() })),
  duration: optional,
  genre: several(z.string()),
  director: several(named),
  inLanguage: optional,
})

function movieInJsonLd({ nodes, meta }: Content): Partial<PageFacts> {
  const found = nodes.flatMap((node) => LdMovie.safeParse(node).data ?? [])[0]
  if (!found) return {}
  const { name, description, datePublished, dateCreated, releasedEvent, duration, inLanguage } = found
  return {
    title: plain(name),
    description: plain(description || (meta.get('og:description') ?? '')),
    picture: found.image[0] ?? meta.get('og:image'),
    released: datePublished || dateCreated || releasedEvent[0]?.startDate,
    runtimeMinutes: minutesOf(duration),
    genres: found.genre.map(plain),
    directors: found.director.map(plain),
    language: inLanguage || null,
  }
}

function movieInOpenGraph({ meta }: Content): Partial<PageFacts> {
  // The work of the search grows with the square of the length.
  const heading = titleOf(meta.get('og:title') ?? '')
  // "Alien (1979)", often with more behind it.
  const [, title = heading, year] = /^(.+?)\s+\(\D*(\d{4})\)/u.exec(heading) ?? []
  return {
    title,
    description: meta.get('og:description'),
    picture: meta.get('og:image'),
    released: year ?? meta.get('video:release_date'),
  }
}

function idsOf({ nodes, links }: Content, address: URL): MovieIds {
  const related = nodes.flatMap((node) => {
    const { data } = Related.safeParse(node)
    return data ? [data.mainEntity, ...data.sameAs] : []
  })
  const own = LINKS_OWN_MOVIE.test(address.hostname) ? links : []
  const addresses = [address.href, ...related, ...own]
    .slice(0, MAX_LINKS)
    .flatMap((link) => URL.parse(link, address.href) ?? [])
  // The first that names an id wins: the page's own address, then its data, then its links.
  return addresses.reduceRight<MovieIds>((ids, link) => ({ ...ids, ...readMovieLink(link).ids }), {})
}

function pictureAt(link: string | undefined, address: URL): string | null {
  const url = link === undefined ? null : URL.parse(link, address.href)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}

function yearIn(date: string | undefined): number | null {
  return /^\d{4}/u.test(date ?? '') ? Number(date?.slice(0, 4)) : null
}

/** An ISO 8601 duration such as `PT1H57M`. */
function minutesOf(duration: string): number | null {
  const [match, hours = '0', minutes = '0'] = /^P(?:\d+D)?T(?:(\d+)H)?(?:(\d+)M)?/u.exec(duration) ?? []
  return match === undefined ? null : Number(hours) * 60 + Number(minutes)
}

/** Some publishers write HTML into their JSON. */
function plain(html: string): string {
  let text = ''
  readHtml(html.slice(0, MAX_TEXT_LENGTH), { ontext: (part) => (text += part) })
  return text
}

function decode(bytes: Uint8Array, contentType: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/iu.exec(contentType) ?? []
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
