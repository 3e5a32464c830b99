import type { MovieIds } from '@marquee/contract/entities/movie'

/** Most movies have the first. */
export const SERVICES = ['imdb', 'tmdb', 'wikidata', 'letterboxd'] as const

/** Accents of Latin, Greek and Cyrillic letters. The marks of other scripts make other letters. */
const ACCENT = /[\u0300-\u036F]/gu
const ARTICLES = /^(?:the|an?|der|die|das|ein|eine|le|la|les|l|une?|el|los|las|una?|il|lo|gli|os?|as|de|het|een) (?=.)/u
/** "Third Man, The" */
const TRAILING_ARTICLE = /^(.+), (the|an?|der|die|das|le|la|les|el|los|las|il)$/iu

/** Only letters and digits are left, so that no search syntax of a source can be typed. */
export function wordsOf(title: string): string[] {
  const lower = title.normalize('NFC').toLowerCase()
  return lower.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

export function foldWords(words: readonly string[]): string {
  return words.join(' ').normalize('NFD').replaceAll(ACCENT, '').normalize('NFC')
}

/** Equal for titles that differ only in case, accents and punctuation. Cards are stored with it. */
export function titleKey(title: string): string {
  return foldWords(wordsOf(title))
}

/** The keys by which a stored card with this title is found: earlier versions stored the title in lower case. */
export function titleKeys(title: string): string[] {
  return [titleKey(title), title.toLowerCase()].filter((key) => key !== '')
}

/** Equal for titles that differ only in case, accents, punctuation, "&" and the article in front. */
export function plainTitle(title: string): string {
  const ordered = title.normalize('NFKC').replaceAll('&', ' and ').replace(TRAILING_ARTICLE, '$2 $1')
  // A title of signs only has no letters to compare.
  return titleKey(ordered).replace(ARTICLES, '') || title.trim().toLowerCase()
}

/** The ids of a movie as keys. A card has the first of its movie. */
export function movieKeys(ids: MovieIds): string[] {
  return SERVICES.flatMap((service) => (ids[service] === undefined ? [] : `${service}:${ids[service]}`))
}
