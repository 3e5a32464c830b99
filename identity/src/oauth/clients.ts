import { createHash, timingSafeEqual } from 'node:crypto'
import type { OAuthClient } from '../base/settings.ts'

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
