import { burnNonce } from '../limits/nonce-store.ts'
import { decide } from '../pool/decide.ts'
import type { TokenUser } from '../tokens/id-token-verifier.ts'
import { findSession } from '../tokens/session-store.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { findUserBySub } from '../users/user-store.ts'
import { findClient } from './clients.ts'
import { CODE_LIFETIME_MS, newCode } from './code.ts'
import { addCode } from './code-store.ts'
import { invalidRequest, invalidToken, OAuthError } from './oauth-error.ts'
import { withParameters } from './parameters.ts'
import { pendingAuthorization, type Pending } from './pending.ts'
import type { Pool, SealPorts } from '../base/ports.ts'
import type { OAuthClient } from '../base/settings.ts'

type Ports = Pick<Pool, 'clientId' | 'clock' | 'database' | 'id' | 'keyring' | 'oauthClients'>

/** What a person is asked, as the screen shows it. `signInAgain`: the tool wants a fresher sign-in than this one. */
export type Question = { clientName: string; scopes: readonly string[]; signInAgain: boolean }

/** @throws {OAuthError} when nothing waits for an answer, or who asks is not signed in. */
export async function describeAuthorization(pool: Ports, who: TokenUser, text: string): Promise<Question> {
  const { pending, client } = open(pool, text)
  const { auth_time: signedInAt } = await sessionOf(pool, who)
  return { clientName: client.name, scopes: pending.scopes, signInAgain: signedInAt < pending.signedInSince }
}

/**
 * The person's answer, once. @returns where to send the browser: back to the tool, with a code or with a refusal.
 * @throws {OAuthError} when nothing waits for this answer, or who answers is not signed in freshly enough.
 */
export async function decideAuthorization(
  pool: SealPorts & Pick<Pool, 'database' | 'issuer' | 'oauthClients'>,
  who: TokenUser,
  { request, isAllowed }: { request: string; isAllowed: boolean },
): Promise<string> {
  const { pending } = open(pool, request)
  const session = await sessionOf(pool, who)
  if (session.auth_time < pending.signedInSince) throw invalidRequest('The sign-in is too old: sign in again')
  const back = (answer: Record<string, string>) =>
    withParameters(pending.redirectUri, { ...answer, state: pending.state, iss: pool.issuer })
  const code = newCode(who.userId, pool.random)
  await decide(pool, async (trx) => {
    const user = await findUserBySub(trx, who.userId)
    if (!user || user.enabled === 0) throw invalidToken()
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
  if (!pending || !client?.redirectUris.includes(pending.redirectUri)) throw expiredRequest()
  return { pending, client }
}

async function sessionOf(pool: Pick<Pool, 'database'>, who: TokenUser) {
  const session = await findSession(pool.database.read, who.userId, who.originJti)
  if (!session || session.revoked_at !== null) throw invalidToken()
  return session
}

function expiredRequest(): OAuthError {
  return new OAuthError('expired_request', 'This request was answered already or is too old')
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
