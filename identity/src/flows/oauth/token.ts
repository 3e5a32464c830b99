import { timingSafeEqual } from 'node:crypto'

import type { Caller } from '@marquee/platform/http/caller'
import type { FastifyInstance } from 'fastify'

import { CognitoError, commitOrRefuse } from '../../base/errors/refusals.ts'
import { type EventPorts, type Pool, type VerifyPorts, withCaller } from '../../base/ports.ts'
import type { OAuthClient } from '../../base/settings.ts'
import { sha256 } from '../../base/srp/srp.ts'
import type { Db, OAuthCodeRow, UserRow } from '../../base/tables.ts'
import { readRefreshToken } from '../../parts/tokens/issue.ts'
import { findRefreshToken, findSession, revokeSession } from '../../parts/tokens/session-store.ts'
import { SESSION_LIFETIME_MS } from '../../parts/tokens/signing-keys.ts'
import { fingerprintOf } from '../../parts/users/password.ts'
import { findUserBySub, recordSignIn } from '../../parts/users/user-store.ts'
import { addSignedIn } from '../../sign-in/advance.ts'
import { renewSession } from '../../sign-in/signed-in.ts'
import { authenticateClient } from './clients.ts'
import { readCode } from './consent.ts'
import { addGrant, findCode, findGrant, useCode } from './oauth-store.ts'
import { invalidGrant, invalidRequest, OAuthError, type Parameters, readParameters, readScopes } from './parameters.ts'
import { presentTokens, type TokenReply } from './user-info.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'keyring' | 'oauthClients' | 'tracksDevices'>

/** `POST /oauth2/token`: exchanges a code or a refresh token for tokens. */
export function mountToken(app: FastifyInstance, pool: Omit<Ports, keyof Caller>): void {
  app.post('/oauth2/token', async (request) => {
    const form = readParameters(formOf(request.body))
    const client = authenticateClient(pool, request.headers.authorization, form)
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return await exchangeCode(withCaller(pool, request), client, form)
      case 'refresh_token':
        return await refreshGrant(withCaller(pool, request), client, form)
      case undefined:
        throw invalidRequest('grant_type is missing')
      default:
        throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
    }
  })
}

/** @throws {OAuthError} invalid_request when the body was not a form. */
function formOf(body: unknown): string {
  if (typeof body !== 'string') throw invalidRequest('The body must be application/x-www-form-urlencoded')
  return body
}

/** The code was used between reading and marking it. */
class CodeTaken extends Error {}

const VERIFIER = /^[\w.~-]{43,128}$/u

/**
 * Exchanges a code once, for its own client with the same redirect_uri and the verifier of the challenge. A reused code
 * may be stolen, so it revokes the tokens of the first use (RFC 6749, 4.1.2).
 */
async function exchangeCode(pool: Ports, client: OAuthClient, form: Parameters): Promise<TokenReply> {
  const [text, redirectUri, verifier] = [form.get('code'), form.get('redirect_uri'), form.get('code_verifier')]
  if (text === undefined || redirectUri === undefined || verifier === undefined) {
    throw invalidRequest('code, redirect_uri and code_verifier are required')
  }
  const code = readCode(text)
  if (!code) throw invalidGrant()
  const key = { sub: code.sub, code_hash: code.hash }
  const redeem = async () =>
    await commitOrRefuse(pool, async (trx) => {
      const row = await findCode(trx, key)
      if (!row || row.client_id !== client.id) throw invalidGrant()
      if (row.origin_jti !== null) {
        await revokeSession(trx, row.sub, row.origin_jti, pool.clock.now().toISOString())
        return { reused: row.origin_jti }
      }
      const isBound = row.redirect_uri === redirectUri && isVerifierOf(row, verifier)
      if (!isBound || row.expires_at <= pool.clock.now().toISOString()) throw invalidGrant()
      return { signedIn: await signIn(pool, trx, row, client), row }
    })
  // A concurrent use counts as a reuse too: the second read finds the code used.
  const outcome = await redeem().catch(async (error: unknown) => {
    if (error instanceof CodeTaken) return await redeem()
    throw error
  })
  if ('reused' in outcome) {
    pool.endedSessions.add([outcome.reused])
    throw invalidGrant()
  }
  const { signedIn, row } = outcome
  return await presentTokens(pool, signedIn, { scope: row.scope, nonce: row.nonce ?? undefined })
}

async function signIn(pool: EventPorts, trx: Db, row: OAuthCodeRow, client: OAuthClient) {
  const user = await findUserBySub(trx, row.sub)
  const now = pool.clock.now()
  if (!user || !isSameFactor(user, row) || !(await recordSignIn(trx, user, now.toISOString()))) throw invalidGrant()
  const signedIn = await addSignedIn(pool, trx, user, {
    clientId: row.client_id,
    authTime: row.auth_time,
    client: client.name,
    device: { device_key: null, device_group_key: null },
  })
  const { origin_jti: originJti } = signedIn.session
  if (!(await useCode(trx, row, originJti))) throw new CodeTaken()
  await addGrant(trx, {
    sub: row.sub,
    origin_jti: originJti,
    client_id: row.client_id,
    scope: row.scope,
    expires_at: new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString(),
  })
  return signedIn
}

/** A password change voids the code. */
function isSameFactor(user: UserRow, row: OAuthCodeRow): boolean {
  return fingerprintOf(user.salt) === row.fingerprint
}

function isVerifierOf({ challenge }: OAuthCodeRow, verifier: string): boolean {
  const hash = sha256(Buffer.from(verifier, 'utf8'))
  return VERIFIER.test(verifier) && timingSafeEqual(hash, Buffer.from(challenge, 'base64url'))
}

/**
 * New tokens for a refresh token, which is replaced so that the theft of one is noticed: many clients have no secret. A
 * client may ask for fewer scopes than were granted, never for more.
 */
async function refreshGrant(pool: Ports, client: OAuthClient, form: Parameters): Promise<TokenReply> {
  const text = form.get('refresh_token')
  if (text === undefined) throw invalidRequest('refresh_token is missing')
  const asked = form.get('scope')
  const scopes = asked === undefined ? undefined : readScopes(asked)
  if (asked !== undefined && !scopes) throw invalidScope()
  const token = readRefreshToken(text)
  const grant = token && (await findGrant(pool.database.read, token.sub, token.originJti))
  if (grant?.client_id !== client.id) throw invalidGrant()
  const granted = grant.scope.split(' ')
  // Checked before the token is replaced, so a rejected client keeps a working token.
  if (scopes?.some((scope) => !granted.includes(scope))) throw invalidScope()
  const { user, session, next } = await renew(pool, text, client.id)
  const scope = scopes?.join(' ') ?? grant.scope
  return await presentTokens(pool, { user, session, refreshToken: next }, { scope })
}

async function renew(pool: Ports, text: string, clientId: string) {
  try {
    const { user, session, next } = await renewSession(pool, text, { rotate: true, deviceKey: undefined, clientId })
    return { user, session, next: next?.text ?? text }
  } catch (error) {
    throw error instanceof CognitoError ? invalidGrant() : error
  }
}

function invalidScope(): OAuthError {
  return new OAuthError('invalid_scope', 'This was not granted')
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u

/**
 * `POST /oauth2/revoke` (RFC 7009): ends the session of a refresh token. The token of another client changes nothing.
 */
export function mountRevoke(app: FastifyInstance, pool: Omit<Ports, keyof Caller>): void {
  app.post('/oauth2/revoke', async (request, reply) => {
    const form = readParameters(formOf(request.body))
    const client = authenticateClient(pool, request.headers.authorization, form)
    const text = form.get('token')
    if (text === undefined) throw invalidRequest('token is missing')
    if (JWT.test(text)) throw new OAuthError('unsupported_token_type', 'Only refresh tokens can be revoked')
    await revoke(pool, client.id, text)
    return await reply.status(200).send()
  })
}

async function revoke(
  pool: Pick<Pool, 'clock' | 'database' | 'endedSessions'>,
  clientId: string,
  text: string,
): Promise<void> {
  const token = readRefreshToken(text)
  if (!token) return
  const { sub, originJti } = token
  const key = { sub, origin_jti: originJti, token_hash: token.hash }
  const isOurs = await findRefreshToken(pool.database.read, key)
  const session = await findSession(pool.database.read, sub, originJti)
  if (!isOurs || session?.client_id !== clientId) return
  await pool.database.transaction(async (trx) => {
    await revokeSession(trx, sub, originJti, pool.clock.now().toISOString())
  })
  pool.endedSessions.add([originJti])
}
