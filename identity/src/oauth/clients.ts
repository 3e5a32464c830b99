import { createHash, timingSafeEqual } from 'node:crypto'

/** Another tool that may sign people in with their accounts here. One without a secret proves itself by PKCE alone. */
export type OAuthClient = {
  id: string
  /** What people are asked whether to sign in to. */
  name: string
  secret?: string | undefined
  /** Where codes may be sent, compared letter by letter. */
  redirectUris: readonly string[]
  /** Where people may be sent after signing out, compared letter by letter. */
  logoutUris: readonly string[]
}

export function findClient(clients: readonly OAuthClient[], id: string | undefined): OAuthClient | undefined {
  return clients.find((client) => client.id === id)
}

/** Whether this is the client's secret, or the client has none and gives none. Takes the same time for any guess. */
export function isSecretOf({ secret }: OAuthClient, given: string | undefined): boolean {
  if (secret === undefined || given === undefined) return secret === given
  return timingSafeEqual(digest(secret), digest(given))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
