// Each sign-out leaves a mark for the other tabs. Without a new one, a session whose tokens are gone has expired.

/** Of the local storage. */
export const SIGN_OUT_KEY = 'marquee.sign-out'

/** The mark of the last sign-out; null without any. */
export function lastSignOut(): string | null {
  try {
    return localStorage.getItem(SIGN_OUT_KEY)
  } catch {
    return null
  }
}

/** Leaves a mark that no other sign-out has. */
export function noteSignOut(): void {
  try {
    localStorage.setItem(SIGN_OUT_KEY, crypto.getRandomValues(new Uint8Array(16)).join(''))
  } catch {
    // Storage may be blocked or full. Other tabs take it for a session that has expired.
  }
}
