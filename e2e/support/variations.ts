import { LANGUAGES, type Language } from '@marquee/contract/languages'

/** Set by `npm test -- --all`: what one journey shows is also tried in every other language, and with several processes. */
export const TRIES_ALL = process.env['MARQUEE_VARIATIONS'] === 'all'

/** Marks a journey that runs only with `--all`, because cheaper tests fail for nearly every bug that it would find. */
export const WEEKLY = { tag: '@weekly' }

/** The languages without `--all`. All journeys that are not about languages are in English. */
const orAll = (...languages: readonly Language[]) =>
  LANGUAGES.filter((language) => TRIES_ALL || languages.includes(language))

/** The language that differs most from English: it is written from right to left, and has six plural forms. */
export const MOST_DIFFERENT = orAll('ar')
/** The language with the longest words, for what may not fit; with `--all` also the one that is written from the right. */
export const LONGEST_WORDS: readonly Language[] = TRIES_ALL ? ['de', 'ar'] : ['de']
/** The language in which layouts are walked. */
export const WALKED = orAll('de')
