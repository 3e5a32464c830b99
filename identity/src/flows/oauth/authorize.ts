import { epochSeconds } from '@marquee/platform/runtime/clock'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Pool, SealPorts } from '../../base/ports.ts'
import { sealedToken } from '../../base/sealed/sealed-token.ts'
import { findClient, isRegistered } from './clients.ts'
import { type Parameters, readForm, readQuery, readScopes, type Scope, SCOPES, withParameters } from './parameters.ts'

/**
 * `/oauth2/authorize`, by GET or by a form (OpenID Connect Core, 3.1.2.1): redirects to the product's own screens,
 * with the sealed request in the URL. Errors are shown there until client and redirect_uri are known to be valid.
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
  if (redirectUri === undefined || !isRegistered(client, redirectUri)) return screen({ error: 'redirect' })
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

/** In bytes. Both go back in a `Location` header, where clients limit the length. */
const LONGEST = 2048
/** base64url of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/u
const WHOLE_NUMBER = /^\d{1,9}$/u

/** An authorization request of a tool. */
type AuthorizationRequest = {
  scopes: Scope[]
  state: string | undefined
  nonce: string | undefined
  /** The SHA-256 of the verifier that the exchange of the code requires (RFC 7636). */
  challenge: string
  /** The maximum age of the sign-in, in seconds; undefined for any age. */
  maxAge: number | undefined
}

type Refused = { error: string; description: string }

/**
 * Reads an authorization request whose client and redirect_uri are valid, so other errors may be sent to the client.
 */
function readAuthorizationRequest(given: Parameters): AuthorizationRequest | Refused {
  const refuse = (error: string, description: string): Refused => ({ error, description })
  if (given.has('request')) return refuse('request_not_supported', 'request is not supported')
  if (given.has('request_uri')) return refuse('request_uri_not_supported', 'request_uri is not supported')
  const type = given.get('response_type')
  if (type === undefined) return refuse('invalid_request', 'response_type is missing')
  if (type !== 'code') return refuse('unsupported_response_type', 'response_type must be code')
  if ((given.get('response_mode') ?? 'query') !== 'query') {
    return refuse('invalid_request', 'response_mode must be query')
  }
  const challenge = given.get('code_challenge')
  if (challenge === undefined || !CHALLENGE.test(challenge) || given.get('code_challenge_method') !== 'S256') {
    return refuse('invalid_request', 'PKCE with code_challenge_method S256 is required')
  }
  const scopes = readScopes(given.get('scope'))
  if (!scopes) return refuse('invalid_scope', 'scope may hold openid, email, phone and profile')
  const [state, nonce] = [shortOf(given, 'state'), shortOf(given, 'nonce')]
  if (state !== given.get('state') || nonce !== given.get('nonce')) {
    return refuse('invalid_request', `state and nonce may have ${LONGEST} bytes`)
  }
  const prompts = new Set(given.get('prompt')?.split(' '))
  // Users are always asked before they are signed in to a tool.
  if (prompts.has('none')) return refuse('interaction_required', 'The person has to be asked')
  const age = given.get('max_age')
  if (age !== undefined && !WHOLE_NUMBER.test(age)) return refuse('invalid_request', 'max_age must be whole seconds')
  const limit = prompts.has('login') ? '0' : age
  return { scopes, state, nonce, challenge, maxAge: limit === undefined ? undefined : Number(limit) }
}

/** The `state` of a request; undefined also if it is too long to be sent back. */
export function stateOf(given: Parameters): string | undefined {
  return shortOf(given, 'state')
}

function shortOf(given: Parameters, name: string): string | undefined {
  const text = given.get(name)
  return text === undefined || Buffer.byteLength(text) > LONGEST ? undefined : text
}

/** Long enough for signing up, waiting for the mail, and signing in. */
const LIFETIME_SECONDS = 30 * 60

const Content = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  state: z.string().optional(),
  nonce: z.string().optional(),
  challenge: z.string(),
  /** The user must have signed in at this time (seconds since 1970) or later. */
  signedInSince: z.number(),
})

/**
 * An authorization request that waits for the user's answer. The browser carries it, so the server stores nothing for
 * users who never answer.
 */
export const pendingAuthorization = sealedToken({ kind: 'authorization', schema: Content, lifetime: LIFETIME_SECONDS })
export type Pending = NonNullable<ReturnType<typeof pendingAuthorization.open>>
