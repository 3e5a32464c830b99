import type * as Webauthn from '@simplewebauthn/server'

/** Loaded at the first passkey: it is a sixth of what the whole server would hold at rest, and many have none. */
export async function loadWebauthn(): Promise<typeof Webauthn> {
  return await import('@simplewebauthn/server')
}
