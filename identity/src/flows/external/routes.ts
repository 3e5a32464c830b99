import type { FastifyInstance, FastifyRequest } from 'fastify'

import { admitCall } from '../../base/limits/address-limits.ts'
import { burnNonce } from '../../base/limits/limit-store.ts'
import { type MailPorts, type Pool, type Provider, type SealPorts, withCaller } from '../../base/ports.ts'
import { bearerOf, readBody, type VerifyIdToken } from '../oauth/consent.ts'
import { invalidRequest, readQuery, withParameters } from '../oauth/parameters.ts'
import { isLinked, linkAccount, NewName, signUpExternally, unlinkAccount } from './accounts.ts'
import { claimFlow, clearFlow, ExternalUnavailable, type FlowBack, flowOver, readFlow, setFlow } from './flow.ts'

type Ports = SealPorts &
  Omit<MailPorts, 'acceptLanguage'> &
  Pick<Pool, 'database' | 'limiter' | 'logger' | 'name' | 'onUserConfirmed' | 'publicUrl' | 'registration'>

const LONGEST_REDIRECT = 1000

/**
 * Sign-in with an external OpenID Connect provider. The result is kept in a cookie; the screen at /auth/external asks
 * the user how to continue.
 */
export function mountExternal(app: FastifyInstance, pool: Ports, provider: Provider, verify: VerifyIdToken): void {
  mountProvider(app, pool, provider)
  mountAccounts(app, pool, verify)
}

/** The way to the provider and back, in redirects. */
function mountProvider(app: FastifyInstance, pool: Ports, provider: Provider): void {
  const screen = (parameters: Record<string, string>) => withParameters(`${pool.publicUrl}/auth/external`, parameters)
  const logFault = (error: unknown) => {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: '' }
    pool.logger.warn({ type: name, message }, 'the external provider could not be used')
  }

  app.get('/oauth2/external/start', async (request, reply) => {
    const query = readQuery(request.url)
    const redirect = query?.get('redirect')?.slice(0, LONGEST_REDIRECT) ?? '/'
    // The provider may sign in without a question. A link from another site leads to the screen with the button for it.
    if (siteOf(request) === 'another') {
      return await reply.redirect(withParameters(`${pool.publicUrl}/auth/login`, { redirect }), 302)
    }
    const flow = {
      state: pool.random.bytes(32).toString('base64url'),
      nonce: pool.random.bytes(32).toString('base64url'),
      verifier: pool.random.bytes(32).toString('base64url'),
    }
    try {
      const url = await provider.signInUrl(flow, { again: query?.get('again') === 'true' })
      setFlow(pool, reply, { at: 'provider', ...flow, redirect })
      return await reply.redirect(url, 302)
    } catch (error) {
      if (!(error instanceof ExternalUnavailable)) throw error
      logFault(error)
      return await reply.redirect(screen({ error: 'unreachable' }), 302)
    }
  })

  app.get('/oauth2/external/callback', async (request, reply) => {
    const flow = readFlow(pool, request)
    clearFlow(pool, reply)
    if (flow?.at !== 'provider') return await reply.redirect(screen({ error: 'over' }), 302)
    const isFirst = await pool.database.transaction(
      async (trx) => await burnNonce(trx, `external state ${flow.state}`, flow.expiresAt),
    )
    if (!isFirst) return await reply.redirect(screen({ error: 'over' }), 302)
    try {
      const person = await provider.personOf(new URL(request.url, pool.publicUrl), flow)
      reply.removeHeader('set-cookie')
      setFlow(pool, reply, { at: 'back', person, redirect: flow.redirect })
      return await reply.redirect(screen({}), 302)
    } catch (error) {
      logFault(error)
      return await reply.redirect(screen({ error: 'failed' }), 302)
    }
  })

  app.get('/oauth2/external/logout', async () => {
    try {
      return { location: await provider.signOutUrl() }
    } catch (error) {
      if (!(error instanceof ExternalUnavailable)) throw error
      logFault(error)
      return { location: null }
    }
  })
}

/** What the user can do on our own screen with the person whom the provider named. */
function mountAccounts(app: FastifyInstance, pool: Ports, verify: VerifyIdToken): void {
  app.post('/oauth2/external/claim', async (request, reply) => {
    const claim = await claimFlow(pool, flowOf(pool, request))
    if (claim.kind === 'known') clearFlow(pool, reply)
    return claim
  })

  app.post('/oauth2/external/sign-up', async (request, reply) => {
    const flow = flowOf(pool, request)
    await admitCall(pool.limiter, 'SignUp', request.ip)
    const entry = await signUpExternally(withCaller(pool, request), flow, readBody(NewName, request.body))
    clearFlow(pool, reply)
    return entry
  })

  app.post('/oauth2/external/link', async (request, reply) => {
    const who = await bearerOf(request, verify)
    await linkAccount(withCaller(pool, request), who, flowOf(pool, request))
    clearFlow(pool, reply)
    return { isLinked: true }
  })
  app.get('/oauth2/external/link', async (request) => ({
    isLinked: await isLinked(pool, await bearerOf(request, verify)),
  }))
  app.delete('/oauth2/external/link', async (request) => {
    await unlinkAccount(withCaller(pool, request), await bearerOf(request, verify))
    return { isLinked: false }
  })
}

/** Only our own pages may use the cookie. */
function flowOf(pool: Ports, request: FastifyRequest): FlowBack {
  if (siteOf(request) !== 'own') throw invalidRequest('This is for our own page')
  const flow = readFlow(pool, request)
  if (flow?.at !== 'back') throw flowOver()
  return flow
}

/** Where a request comes from, as the browser says: from a page of ours, of another site, or of the user's own accord. */
function siteOf({ headers }: FastifyRequest): 'own' | 'another' | 'none' {
  // Browsers before 2023 do not say it, and none does over http.
  const { 'sec-fetch-site': site = 'same-origin' } = headers
  if (site === 'same-origin') return 'own'
  return site === 'none' ? 'none' : 'another'
}
