import { createHash, timingSafeEqual } from 'node:crypto'

import type { Pool } from '../../base/ports.ts'
import type { OAuthClient } from '../../base/settings.ts'
import { invalidRequest, OAuthError, type Parameters } from './parameters.ts'

export function findClient(clients: readonly OAuthClient[], id: string | undefined): OAuthClient | undefined {
  return clients.find((client) => client.id === id)
}

/** A local address up to its path: scheme and host, and the port if it has one. */
const LOCAL = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?(?=[/?]|$)/u

/**
 * Whether the client registered this address for its codes. A native app listens at a port that is free at the moment, so
 * a client without a secret may name any port of a local address (RFC 9700, 4.1.3).
 */
export function isRegistered({ redirectUris, secret }: OAuthClient, uri: string): boolean {
  if (redirectUris.includes(uri)) return true
  if (secret !== undefined || !LOCAL.test(uri) || !URL.canParse(uri)) return false
  return redirectUris.some((registered) => withoutLocalPort(registered) === withoutLocalPort(uri))
}

function withoutLocalPort(uri: string): string {
  return uri.replace(LOCAL, '$1')
}

/** Whether this is the client's secret, or the client has none and sends none. Takes the same time for any guess. */
function isSecretOf({ secret }: OAuthClient, given: string | undefined): boolean {
  if (secret === undefined || given === undefined) return secret === given
  return timingSafeEqual(digest(secret), digest(given))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

const UNPROVEN = 'The client is unknown or its secret is wrong'
const BASIC = /^Basic +([\w+/]+={0,2}) *$/iu

/**
 * Authenticates the client by its secret in the header or the form, or by its id if it has no secret (RFC 6749, 2.3).
 * @throws {OAuthError} invalid_client, or invalid_request when it authenticates in two ways.
 */
export function authenticateClient(
  pool: Pick<Pool, 'oauthClients'>,
  authorization: string | undefined,
  form: Parameters,
): OAuthClient {
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  const named = form.get('client_id')
  if (basic && (form.has('client_secret') || (named !== undefined && named !== basic.id))) {
    throw invalidRequest('The client names itself in two ways')
  }
  const client = findClient(pool.oauthClients, basic?.id ?? named)
  if (!client || !isSecretOf(client, basic ? basic.secret : form.get('client_secret'))) {
    throw basic ? invalidHeader() : invalidClient()
  }
  return client
}

function readBasic(header: string): { id: string; secret: string } {
  const [, encoded = ''] = BASIC.exec(header) ?? []
  const [, id, secret] = /^([^:]+):(.*)$/su.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) throw invalidHeader()
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    throw invalidHeader()
  }
}

/** Both parts are form-encoded before they are joined. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

function invalidClient(): OAuthError {
  return new OAuthError('invalid_client', UNPROVEN)
}

/** A client that used the header learns the supported scheme (RFC 6749, 5.2). */
function invalidHeader(): OAuthError {
  return new OAuthError('invalid_client', UNPROVEN, 401, { 'www-authenticate': 'Basic realm="marquee"' })
}
