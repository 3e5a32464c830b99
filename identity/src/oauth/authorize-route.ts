import { epochSeconds } from '@marquee/platform/runtime/clock'
import type { FastifyInstance } from 'fastify'

import { readAuthorizationRequest, stateOf } from './authorization-request.ts'
import { findClient } from './clients.ts'
import { type Parameters, readForm, readQuery, withParameters } from './parameters.ts'
import { pendingAuthorization } from './pending.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

/**
 * `/oauth2/authorize`, asked by GET or by a form (OpenID Connect Core, 3.1.2.1): sends the person to the product's own screens, which carry the sealed request along. Until
 * client and redirect_uri are known to be good, what is wrong is shown here and nobody is sent anywhere.
 */
export function mountAuthorize(
  app: FastifyInstance,
  pool: SealPorts & Pick<Pool, 'issuer' | 'oauthClients' | 'publicUrl'>,
): void {
  app.get('/oauth2/authorize', async (request, reply) => reply.redirect(targetOf(pool, readQuery(request.url)), 302))
  app.post('/oauth2/authorize', async (request, reply) => reply.redirect(targetOf(pool, readForm(request.body)), 303))
}

function targetOf(
  pool: SealPorts & Pick<Pool, 'issuer' | 'oauthClients' | 'publicUrl'>,
  given: Parameters | undefined,
): string {
  const screen = (parameters: Record<string, string>) => withParameters(`${pool.publicUrl}/auth/authorize`, parameters)
  if (!given) return screen({ error: 'request' })
  const client = findClient(pool.oauthClients, given.get('client_id'))
  if (!client) return screen({ error: 'client' })
  const redirectUri = given.get('redirect_uri')
  if (redirectUri === undefined || !client.redirectUris.includes(redirectUri)) return screen({ error: 'redirect' })
  const read = readAuthorizationRequest(given)
  if ('error' in read) {
    const { error, description } = read
    return withParameters(redirectUri, {
      error,
      error_description: description,
      state: stateOf(given),
      iss: pool.issuer,
    })
  }
  const { maxAge, ...asked } = read
  const signedInSince = maxAge === undefined ? 0 : epochSeconds(pool.clock) - maxAge
  return screen({
    request: pendingAuthorization.seal(pool, { ...asked, clientId: client.id, redirectUri, signedInSince }),
  })
}
