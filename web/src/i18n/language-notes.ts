import type { Language } from '@marquee/contract/languages'

const REFUSED_KEY = 'marquee.language-refused'
const SIGNED_UP_KEY = 'marquee.signed-up'

/** Notes that the account does not take the language that this browser prefers. */
export function refuseLanguage(refused: Language): void {
  note(REFUSED_KEY, refused)
}

export function isLanguageRefused(wanted: Language): boolean {
  return noted(REFUSED_KEY) === wanted
}

/** Notes who signed up in this browser: its language is the first one of the account. */
export function noteSignUp(username: string): void {
  note(SIGNED_UP_KEY, username)
}

export function hasSignedUpHere(username: string): boolean {
  return noted(SIGNED_UP_KEY) === username
}

function note(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Without storage, the question comes again.
  }
}

function noted(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
