import type { ImportGroup } from '@marquee/contract/entities/import'
import type { Movie } from '@marquee/contract/entities/movie'

import { titleKey } from '../catalogue/service.ts'

/** A movie with its facts, as far as they are known. */
type Titled = { readonly title: string; readonly movie: Movie | null }

/** What a row resembles: the id of a card, or the place of an earlier row. */
export type Match = { readonly group: ImportGroup; readonly cardId: string | null; readonly sameAs: number | null }

const ARTICLES = /^(?:the|an?|der|die|das|ein|eine|le|la|les|l|une?|el|los|las|una?|il|lo|gli|os?|as|de|het|een) (?=.)/u
/** More movies of one title are not compared. */
const MAX_NAMESAKES = 50
/** "Third Man, The" */
const TRAILING_ARTICLE = /^(.+), (the|an?|der|die|das|le|la|les|el|los|las|il)$/iu
const ID_KINDS = ['imdb', 'tmdb', 'wikidata', 'letterboxd'] as const

/** Equal for titles that differ only in case, accents, punctuation, "&" and the article in front. */
export function plainTitle(title: string): string {
  const ordered = title.normalize('NFKC').replaceAll('&', ' and ').replace(TRAILING_ARTICLE, '$2 $1')
  // A title of signs only has no letters to compare.
  return titleKey(ordered).replace(ARTICLES, '') || title.trim().toLowerCase()
}

/**
 * Groups rows: by ids first, then by title and year. A title alone is not enough if one of the two has no year, or the
 * years are one apart, as they often are between services.
 */
export function createMatcher() {
  const cards = createIndex<string>()
  const rows = createIndex<number>()

  function find({ title, movie }: Titled): Match {
    for (const exact of [true, false]) {
      const card = exact ? cards.byId(movie) : cards.byTitle(title, movie)
      if (card !== undefined) return { group: card.group, cardId: card.key, sameAs: null }
      const row = exact ? rows.byId(movie) : rows.byTitle(title, movie)
      if (row !== undefined) {
        return { group: row.group === 'here' ? 'same' : 'unsure', cardId: null, sameAs: row.key }
      }
    }
    return { group: 'new', cardId: null, sameAs: null }
  }

  return {
    addCard: (id: string, card: Titled): void => {
      cards.add(id, card)
    },
    /** The card of a movie; undefined if there is none, or it is not sure. */
    findCard: ({ title, movie }: Titled): string | undefined => {
      const found = cards.byId(movie) ?? cards.byTitle(title, movie)
      return found?.group === 'here' ? found.key : undefined
    },
    /** Compares a row with all cards and the rows before it. */
    addRow: (place: number, row: Titled): Match => {
      const match = find(row)
      if (match.group === 'new') rows.add(place, row)
      return match
    },
  }
}

/** Two movies can match only if they have one of these in common. */
export function namesOf({ title, movie }: Titled): string[] {
  return [...idsOf(movie), ...titlesOf(title, movie).map((plain) => `title:${plain}`)]
}

type Found<K> = { readonly group: 'here' | 'unsure'; readonly key: K }

function createIndex<K>() {
  const ids = new Map<string, K>()
  const titles = new Map<string, { key: K; movie: Movie | null }[]>()

  return {
    add: (key: K, { title, movie }: Titled): void => {
      for (const id of idsOf(movie)) if (!ids.has(id)) ids.set(id, key)
      for (const plain of titlesOf(title, movie)) {
        const known = titles.get(plain)
        if (known && known.length < MAX_NAMESAKES) known.push({ key, movie })
        else if (!known) titles.set(plain, [{ key, movie }])
      }
    },
    byId: (movie: Movie | null): Found<K> | undefined => {
      const keys = new Set(idsOf(movie).flatMap((id) => ids.get(id) ?? []))
      const [key] = keys
      return key === undefined ? undefined : { group: keys.size === 1 ? 'here' : 'unsure', key }
    },
    byTitle: (title: string, movie: Movie | null): Found<K> | undefined => {
      const known = titlesOf(title, movie).flatMap((plain) => titles.get(plain) ?? [])
      const equal = known.filter((other) => compare(movie, other.movie) === 'equal')
      const [first] = equal.length > 0 ? equal : known.filter((other) => compare(movie, other.movie) === 'unsure')
      if (first === undefined) return undefined
      return { group: new Set(equal.map(({ key }) => key)).size === 1 ? 'here' : 'unsure', key: first.key }
    },
  }
}

/** Two movies of the same title. */
function compare(one: Movie | null, other: Movie | null): 'equal' | 'unsure' | 'different' {
  if (ID_KINDS.some((kind) => haveDifferent(one?.ids[kind], other?.ids[kind]))) return 'different'
  const [year = null, otherYear = null] = [one?.year, other?.year]
  if (year === otherYear) return 'equal'
  if (year === null || otherYear === null) return 'unsure'
  return Math.abs(year - otherYear) === 1 ? 'unsure' : 'different'
}

function haveDifferent(id: string | undefined, other: string | undefined): boolean {
  return id !== undefined && other !== undefined && id !== other
}

function idsOf(movie: Movie | null): string[] {
  return ID_KINDS.flatMap((kind) => (movie?.ids[kind] === undefined ? [] : [`${kind}:${movie.ids[kind]}`]))
}

function titlesOf(title: string, movie: Movie | null): string[] {
  const original = movie?.originalTitle ?? title
  return [...new Set([plainTitle(title), plainTitle(original)])]
}
