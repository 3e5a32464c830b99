import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Pool, SealPorts } from '../../base/ports.ts'
import { sealedToken } from '../../base/sealed/sealed-token.ts'
import { stateOf } from './authorize.ts'
import { findClient } from './clients.ts'
import { type Parameters, readQuery, withParameters } from './parameters.ts'

const LIFETIME_SECONDS = 30 * 60
const afterLogout = sealedToken({
  kind: 'logout',
  schema: z.object({ to: z.string() }),
  lifetime: LIFETIME_SECONDS,
})

/**
 * `GET /logout` redirects to the screen that asks and signs the user out. `GET /oauth2/logged-out` then redirects to
 * the tool, but only to an address registered for it.
 */
export function mountLogout(app: FastifyInstance, pool: SealPorts & Pick<Pool, 'oauthClients' | 'publicUrl'>): void {
  const screen = (parameters: Record<string, string>) => withParameters(`${pool.publicUrl}/auth/logout`, parameters)

  app.get('/logout', async (request, reply) => {
    const given = readQuery(request.url)
    // Amazon's other form: sign out and sign in again. A sign-in from before does not count.
    if (given?.has('response_type')) {
      const signIn = { ...Object.fromEntries(given), prompt: 'login' }
      return reply.redirect(withParameters(`${pool.publicUrl}/oauth2/authorize`, signIn), 302)
    }
    const to = given && registeredTarget(pool, given)
    if (to === undefined) return reply.redirect(screen({ error: 'redirect' }), 302)
    return reply.redirect(screen({ next: afterLogout.seal(pool, { to }) }), 302)
  })

  app.get('/oauth2/logged-out', async (request, reply) => {
    const text = readQuery(request.url)?.get('next') ?? ''
    return reply.redirect(afterLogout.open(pool, text)?.to ?? `${pool.publicUrl}/auth/login`, 302)
  })
}

/** The address to return to, if it is registered. It comes under Amazon's parameter name or OpenID Connect's. */
function registeredTarget(pool: Pick<Pool, 'oauthClients'>, given: Parameters): string | undefined {
  const uri = given.get('logout_uri') ?? given.get('post_logout_redirect_uri')
  const client = findClient(pool.oauthClients, given.get('client_id'))
  if (uri === undefined || !client?.logoutUris.includes(uri)) return undefined
  const state = stateOf(given)
  return state === undefined ? uri : withParameters(uri, { state })
}
