import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import { commitOrRefuse } from '../../base/errors/refusals.ts'
import { burnNonce } from '../../base/limits/limit-store.ts'
import { uuidBytes, uuidText } from '../../base/names.ts'
import type { Pool, SealPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import type { OAuthClient } from '../../base/settings.ts'
import { sha256 } from '../../base/srp/srp.ts'
import type { Db } from '../../base/tables.ts'
import { findSession } from '../../parts/tokens/session-store.ts'
import { SESSION_LIFETIME_MS } from '../../parts/tokens/signing-keys.ts'
import { InvalidToken, type TokenUser } from '../../parts/tokens/verify.ts'
import { fingerprintOf } from '../../parts/users/password.ts'
import { lockUser } from '../../parts/users/user-store.ts'
import { type Pending, pendingAuthorization } from './authorize.ts'
import { findClient, isRegistered } from './clients.ts'
import { addCode } from './oauth-store.ts'
import { invalidRequest, invalidToken, OAuthError, withParameters } from './parameters.ts'

type Ports = Pick<Pool, 'clientId' | 'clock' | 'database' | 'id' | 'keyring' | 'oauthClients'>

export type VerifyIdToken = (token: string) => Promise<TokenUser>

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu
const Asked = z.object({ request: field.text({ max: 16_384 }) })
const Answered = Asked.extend({ isAllowed: z.boolean() })

/**
 * Lets the consent screen read the question and send the answer of the user named by the id token. No cookie is
 * involved, so no other page can answer in the user's name.
 */
export function mountConsent(
  app: FastifyInstance,
  pool: SealPorts & Pick<Pool, 'database' | 'issuer' | 'oauthClients'>,
  verifyIdToken: VerifyIdToken,
): void {
  app.post('/oauth2/question', async (request) => {
    const who = await bearerOf(request, verifyIdToken)
    return await describeAuthorization(pool, who, readBody(Asked, request.body).request)
  })
  app.post('/oauth2/answer', async (request) => {
    const who = await bearerOf(request, verifyIdToken)
    return { location: await answerAuthorization(pool, who, readBody(Answered, request.body)) }
  })
}

/** The user of the id token. @throws {OAuthError} invalid_token. */
export async function bearerOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  verifyIdToken: VerifyIdToken,
): Promise<TokenUser> {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? []
  if (token === undefined) throw invalidToken()
  try {
    return await verifyIdToken(token)
  } catch (error) {
    throw error instanceof InvalidToken ? invalidToken() : error
  }
}

/** @throws {OAuthError} invalid_request. */
export function readBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { success, data } = schema.safeParse(body)
  if (!success) throw invalidRequest('The body is not what is expected here')
  return data
}

/** The question on the consent screen. */
type Question = {
  clientName: string
  scopes: readonly string[]
  /** How many days the session of the tool lasts. */
  sessionDays: number
  /** The tool requires a fresher sign-in than this one. */
  signInAgain: boolean
}

/** @throws {OAuthError} when the request is not pending, or the caller is not signed in. */
async function describeAuthorization(pool: Ports, who: TokenUser, text: string): Promise<Question> {
  const { pending, client } = open(pool, text)
  const { auth_time: signedInAt } = await sessionOf(pool.database.read, who)
  return {
    clientName: client.name,
    scopes: pending.scopes,
    sessionDays: SESSION_LIFETIME_MS / DAY_MS,
    signInAgain: signedInAt < pending.signedInSince,
  }
}

/**
 * Accepts the user's answer, once. @returns the URL of the tool for the browser, with a code or an error.
 * @throws {OAuthError} when the request is not pending, or the sign-in of the caller is missing or too old.
 */
async function answerAuthorization(
  pool: SealPorts & Pick<Pool, 'database' | 'issuer' | 'oauthClients'>,
  who: TokenUser,
  { request, isAllowed }: { request: string; isAllowed: boolean },
): Promise<string> {
  const { pending } = open(pool, request)
  const back = (answer: Record<string, string>) =>
    withParameters(pending.redirectUri, { ...answer, state: pending.state, iss: pool.issuer })
  const code = newCode(who.userId, pool.random)
  await commitOrRefuse(pool, async (trx) => {
    // Locked: what ends the session also voids its codes, so no code may follow.
    const user = await lockUser(trx, who.userId)
    const session = await sessionOf(trx, who)
    if (!user || user.enabled === 0) throw invalidToken()
    if (session.auth_time < pending.signedInSince) throw invalidRequest('The sign-in is too old: sign in again')
    const isFirst = await burnNonce(trx, `authorization ${pending.tokenId}`, pending.expiresAt)
    if (!isFirst) throw expiredRequest()
    if (!isAllowed) return
    await addCode(trx, {
      sub: user.sub,
      code_hash: code.hash,
      client_id: pending.clientId,
      redirect_uri: pending.redirectUri,
      scope: pending.scopes.join(' '),
      nonce: pending.nonce ?? null,
      challenge: pending.challenge,
      fingerprint: fingerprintOf(user.salt),
      auth_time: session.auth_time,
      expires_at: iso(pool.clock.now().getTime() + CODE_LIFETIME_MS),
      origin_jti: null,
    })
  })
  return isAllowed ? back({ code: code.text }) : back({ error: 'access_denied' })
}

function open(pool: Ports, text: string): { pending: Pending; client: OAuthClient } {
  const pending = pendingAuthorization.open(pool, text)
  const client = findClient(pool.oauthClients, pending?.clientId)
  // Settings may have changed since the request was sealed.
  if (!pending || !client || !isRegistered(client, pending.redirectUri)) throw expiredRequest()
  return { pending, client }
}

async function sessionOf(db: Db, who: TokenUser) {
  const session = await findSession(db, who.userId, who.originJti)
  if (!session || session.revoked_at !== null) throw invalidToken()
  return session
}

function expiredRequest(): OAuthError {
  return new OAuthError('expired_request', 'This request was answered already or is too old')
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

const SECRET_BYTES = 32
const CODE = /^[\w-]{64}$/u

/** The lifetime of a code. */
const CODE_LIFETIME_MS = 5 * MINUTE_MS

/**
 * An authorization code in parts; to clients it is opaque: base64url of sub (16 bytes) ‖ secret (32). The id is in it
 * so that its row is found by user. The database has only its SHA-256.
 */
export type Code = { sub: string; text: string; hash: Buffer }

function newCode(sub: string, random: { bytes: (length: number) => Buffer }): Code {
  return assemble(Buffer.concat([uuidBytes(sub), random.bytes(SECRET_BYTES)]))
}

export function readCode(text: string): Code | undefined {
  return CODE.test(text) ? assemble(Buffer.from(text, 'base64url')) : undefined
}

function assemble(bytes: Buffer): Code {
  return { sub: uuidText(bytes.subarray(0, 16)), text: bytes.toString('base64url'), hash: sha256(bytes) }
}
