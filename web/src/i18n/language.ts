import { type Language, LANGUAGES } from '@marquee/contract/languages'

/** The name of each language, in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ar: 'العربية',
}

export const LANGUAGE_SETTING = 'marquee.language'

/** The language of this page. It does not change until the page is loaded again. */
export const language: Language = storedLanguage() ?? wantedLanguage(navigator.languages)

/** The language of this page as the browser has it, with its region: `en-GB` for English in Britain. */
export const languageTag: string = regionalTag(language, navigator.languages)

/** For dates and numbers: as in the region, in the digits and the calendar that the texts have. */
export const locale: string = new Intl.Locale(languageTag, { numberingSystem: 'latn', calendar: 'gregory' }).toString()

const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set(['ar'])
export const isRightToLeft = RIGHT_TO_LEFT.has(language)

/** The language for a browser that prefers these. The region counts only if the app has it: `pt-PT` gets `pt-BR`. */
export function wantedLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const primary = primaryOf(tag)
    const found = languageOf(tag) ?? LANGUAGES.find((known) => primaryOf(known) === primary)
    if (found !== undefined) return found
  }
  return 'en'
}

/** The first variant of a language that a browser prefers; the language itself if it prefers none. */
export function regionalTag(chosen: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => primaryOf(tag) === primaryOf(chosen) && isTag(tag)) ?? chosen
}

/** The language with this tag; undefined if there is none. */
export function languageOf(tag: string | null | undefined): Language | undefined {
  return LANGUAGES.find((known) => known === tag)
}

/** The language that was chosen in this browser. */
export function storedLanguage(): Language | undefined {
  try {
    return languageOf(localStorage.getItem(LANGUAGE_SETTING))
  } catch {
    return undefined
  }
}

/** Stores the choice, and loads the page again in that language. Drafts survive it. Without storage, nothing happens. */
export function chooseLanguage(choice: Language): void {
  try {
    localStorage.setItem(LANGUAGE_SETTING, choice)
  } catch {
    return
  }
  if (choice !== language) location.reload()
}

/** Some systems name their language in a form of their own, such as `en-US@posix`. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
