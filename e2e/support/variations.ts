import { LANGUAGES, type Language } from '@marquee/contract/languages'

/** Set by `npm test -- --all`: what one journey shows is also tried in every other language, and with several processes. */
export const TRIES_ALL = process.env['MARQUEE_VARIATIONS'] === 'all'

/** What is least like English: the language with the longest words, and the one that is written from right to left. */
const DIFFERENT: ReadonlySet<Language> = new Set(['de', 'ar'])

/** The languages of journeys that are about languages. All other journeys are in English. */
export const TRIED_LANGUAGES = LANGUAGES.filter((language) => TRIES_ALL || DIFFERENT.has(language))
