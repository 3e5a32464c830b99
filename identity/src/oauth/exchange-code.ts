import { timingSafeEqual } from 'node:crypto'

import { decide } from '../pool/decide.ts'
import { addSignedIn } from '../sign-in/start-session.ts'
import { sha256 } from '../srp/group.ts'
import type { Db, OAuthCodeRow, UserRow } from '../tables.ts'
import { SESSION_LIFETIME_MS } from '../tokens/lifetimes.ts'
import { revokeSession } from '../tokens/session-store.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { findUserBySub, noteSignIn } from '../users/user-store.ts'
import { readCode } from './code.ts'
import { findCode, useCode } from './code-store.ts'
import { addGrant } from './grant-store.ts'
import { invalidGrant, invalidRequest } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'
import { presentTokens, type TokenReply } from './present-tokens.ts'
import type { EventPorts, Pool } from '../base/ports.ts'
import type { OAuthClient } from '../base/settings.ts'

type Ports = EventPorts & Pick<Pool, 'database' | 'endedSessions' | 'issuer' | 'signingKeys'>

/** Somebody else used the code between our look at it and our use of it. */
class CodeTaken extends Error {}

const VERIFIER = /^[\w.~-]{43,128}$/u

/**
 * Tokens for a code: once, for the client it was made for, which names the same redirect_uri and knows what the
 * challenge was made of. A code that comes again is in two hands, and ends what the first one got (RFC 6749, 4.1.2).
 */
export async function exchangeCode(pool: Ports, client: OAuthClient, form: Parameters): Promise<TokenReply> {
  const [text, redirectUri, verifier] = [form.get('code'), form.get('redirect_uri'), form.get('code_verifier')]
  if (text === undefined || redirectUri === undefined || verifier === undefined) {
    throw invalidRequest('code, redirect_uri and code_verifier are required')
  }
  const code = readCode(text)
  if (!code) throw invalidGrant()
  const key = { sub: code.sub, code_hash: code.hash }
  const redeem = async () =>
    await decide(pool, async (trx) => {
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
  // Who came second at the same moment is in the same two hands: the second look finds the code used.
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
  if (!user || !isSameFactor(user, row) || !(await noteSignIn(trx, user, now.toISOString()))) throw invalidGrant()
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

/** A password that was changed since takes the code with it. */
function isSameFactor(user: UserRow, row: OAuthCodeRow): boolean {
  return fingerprintOf(user.salt) === row.fingerprint
}

function isVerifierOf({ challenge }: OAuthCodeRow, verifier: string): boolean {
  const hash = sha256(Buffer.from(verifier, 'utf8'))
  return VERIFIER.test(verifier) && timingSafeEqual(hash, Buffer.from(challenge, 'base64url'))
}
