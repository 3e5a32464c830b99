import { epochSeconds } from '@marquee/platform/runtime/clock'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { openValue, type SealedFor, sealValue } from '../sealed/sealed-value.ts'
import { stateOf } from './authorization-request.ts'
import { findClient } from './clients.ts'
import { type Parameters, queryOf, readQuery, withParameters } from './parameters.ts'

const LIFETIME_SECONDS = 30 * 60
const Content = z.object({ to: z.string(), expiresAt: z.number() })

/**
 * `GET /logout` brings people to the screen that signs them out, after asking, and `GET /oauth2/logged-out` sends them on
 * to the tool they came from. Only addresses registered for that tool are gone to.
 */
export function mountLogout(app: FastifyInstance, pool: Pool): void {
  const screen = (parameters: Record<string, string>) => withParameters(`${pool.publicUrl}/auth/logout`, parameters)

  app.get('/logout', async (request, reply) => {
    const given = readQuery(request.url)
    // Amazon's other form: out, and in again.
    if (given?.has('response_type'))
      return reply.redirect(`${pool.publicUrl}/oauth2/authorize?${queryOf(request.url)}`, 302)
    const to = given && registeredTarget(pool, given)
    if (to === undefined) return reply.redirect(screen({ error: 'redirect' }), 302)
    const sealed = sealValue(pool, sealedFor(pool), { to, expiresAt: epochSeconds(pool.clock) + LIFETIME_SECONDS })
    return reply.redirect(screen({ next: sealed.toString('base64url') }), 302)
  })

  app.get('/oauth2/logged-out', async (request, reply) => {
    const text = readQuery(request.url)?.get('next') ?? ''
    const { data } = Content.safeParse(openValue(pool.keyring, sealedFor(pool), Buffer.from(text, 'base64url')))
    const isGood = data !== undefined && data.expiresAt > epochSeconds(pool.clock)
    return reply.redirect(isGood ? data.to : `${pool.publicUrl}/auth/login`, 302)
  })
}

/** By Amazon's name of the parameter or by OpenID Connect's. */
function registeredTarget(pool: Pool, given: Parameters): string | undefined {
  const uri = given.get('logout_uri') ?? given.get('post_logout_redirect_uri')
  const client = findClient(pool.oauthClients, given.get('client_id'))
  if (uri === undefined || !client?.logoutUris.includes(uri)) return undefined
  const state = stateOf(given)
  return state === undefined ? uri : withParameters(uri, { state })
}

function sealedFor(pool: Pool): SealedFor {
  return { kind: 'logout', poolId: pool.id, clientId: pool.clientId }
}
