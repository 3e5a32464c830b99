import type { ImportGroup } from '@marquee/contract/entities/import'

import { compareNamesakes, movieKeys, plainTitlesOf, type Titled } from '../same-movie/service.ts'

/** What a row resembles: the id of a card, or the place of an earlier row. */
export type Match = { readonly group: ImportGroup; readonly cardId: string | null; readonly sameAs: number | null }

/** More movies of one title are not compared. */
const MAX_NAMESAKES = 50

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
  return [...movieKeys(movie?.ids ?? {}), ...plainTitlesOf({ title, movie }).map((plain) => `title:${plain}`)]
}

type Found<K> = { readonly group: 'here' | 'unsure'; readonly key: K }

function createIndex<K>() {
  const ids = new Map<string, K>()
  const titles = new Map<string, { key: K; movie: Titled['movie'] }[]>()

  return {
    add: (key: K, { title, movie }: Titled): void => {
      for (const id of movieKeys(movie?.ids ?? {})) if (!ids.has(id)) ids.set(id, key)
      for (const plain of plainTitlesOf({ title, movie })) {
        const known = titles.get(plain)
        if (known && known.length < MAX_NAMESAKES) known.push({ key, movie })
        else if (!known) titles.set(plain, [{ key, movie }])
      }
    },
    byId: (movie: Titled['movie']): Found<K> | undefined => {
      const keys = new Set(movieKeys(movie?.ids ?? {}).flatMap((id) => ids.get(id) ?? []))
      const [key] = keys
      return key === undefined ? undefined : { group: keys.size === 1 ? 'here' : 'unsure', key }
    },
    byTitle: (title: string, movie: Titled['movie']): Found<K> | undefined => {
      const known = plainTitlesOf({ title, movie }).flatMap((plain) => titles.get(plain) ?? [])
      const alike = known.map(({ key, movie: other }) => ({ key, likeness: compareNamesakes(movie, other) }))
      const equal = alike.filter(({ likeness }) => likeness === 'same')
      const [first] = equal.length > 0 ? equal : alike.filter(({ likeness }) => likeness !== 'different')
      if (first === undefined) return undefined
      return { group: new Set(equal.map(({ key }) => key)).size === 1 ? 'here' : 'unsure', key: first.key }
    },
  }
}
