/**
 * What one account screen tells the next through navigation state (spec section 2). The browser keeps such state over
 * reloads and other versions of the app, so it is read with care.
 */
export type LoginNotice = { message: string; messageType: 'success' | 'error' }
export type PersonState = { email: string; name?: string }

function field(state: unknown, key: string): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined
  const value = (state as Record<string, unknown>)[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The banner of the login screen, if one was passed in. */
export function loginNotice(state: unknown): LoginNotice | undefined {
  const message = field(state, 'message')
  if (message === undefined) return undefined
  return { message, messageType: field(state, 'messageType') === 'error' ? 'error' : 'success' }
}

/** Whose account the screen is about: without an e-mail nobody's. */
export function personState(state: unknown): PersonState | undefined {
  const email = field(state, 'email')
  const name = field(state, 'name')
  if (email === undefined) return undefined
  return { email, ...(name === undefined ? {} : { name }) }
}

/** Whose password a one-time link resets, and its code: they stand behind the #, which no server sees. */
export function resetLink(hash: string): { email: string; code: string } | undefined {
  const parts = new URLSearchParams(hash.replace(/^#/u, ''))
  const [email, code] = [parts.get('username'), parts.get('code')]
  return email && code ? { email, code } : undefined
}
