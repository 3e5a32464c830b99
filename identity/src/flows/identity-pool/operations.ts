import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'
import { errors } from 'jose'
import { z } from 'zod'

import { CognitoError, notAuthorized } from '../../base/errors/refusals.ts'
import type { IdentityPool, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { readRequest } from '../../base/requests/operation.ts'
import { findSession } from '../../parts/tokens/session-store.ts'
import { type IdClaims, readIdToken } from '../../parts/tokens/verify.ts'
import { guestIdentity, kindOf, userIdentity } from './identity-pool.ts'

/** One call of the identity pool API: takes the parsed JSON body and returns the reply. */
export type IdentityOperation = (
  pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>,
  identityPool: IdentityPool,
  request: unknown,
) => Promise<object>

/** An operation whose request is checked by `schema`. */
function identityOperation<S extends z.ZodType>(
  schema: S,
  run: (
    pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>,
    identityPool: IdentityPool,
    input: z.output<S>,
  ) => Promise<object>,
): IdentityOperation {
  return async (pool, identityPool, request) => await run(pool, identityPool, readRequest(schema, request))
}

const GetId = z.object({ IdentityPoolId: field.identityPoolId, Logins: field.parameters.optional() })

/** The identity of the caller: always the same for a user, a new one for a guest. */
export const getId = identityOperation(
  GetId,
  async (pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>, identityPool, { IdentityPoolId, Logins }) => {
    if (IdentityPoolId !== identityPool.id) {
      throw new CognitoError('ResourceNotFoundException', `IdentityPool '${IdentityPoolId}' not found.`)
    }
    const sub = await readLogins(pool, Logins)
    if (sub !== undefined) return { IdentityId: userIdentity(pool, identityPool, sub) }
    if (!identityPool.allowsGuests) throw guestsRefused()
    return { IdentityId: guestIdentity(pool, identityPool) }
  },
)

function guestsRefused(): CognitoError {
  return notAuthorized('Unauthenticated access is not supported for this identity pool.')
}

const GetCredentialsForIdentity = z.object({ IdentityId: field.identityId, Logins: field.parameters.optional() })

/**
 * Credentials for an identity. They give no access here. A guest id with a login gets the credentials of the user's own
 * identity, whose id is in the reply: a guest id proves nothing, so it never becomes the identity of a user.
 */
export const getCredentialsForIdentity = identityOperation(
  GetCredentialsForIdentity,
  async (pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>, identityPool, { IdentityId, Logins }) => {
    const sub = await readLogins(pool, Logins)
    const kind = kindOf(pool, identityPool, IdentityId)
    if (!kind) throw new CognitoError('ResourceNotFoundException', `Identity '${IdentityId}' not found.`)
    if (sub === undefined) {
      if (kind === 'user') throw notAuthorized(`Access to Identity '${IdentityId}' is forbidden.`)
      if (!identityPool.allowsGuests) throw guestsRefused()
      return { IdentityId, Credentials: makeCredentials(pool) }
    }
    const own = userIdentity(pool, identityPool, sub)
    if (kind === 'user' && IdentityId !== own) {
      throw notAuthorized(
        "Logins don't match. Please include at least one valid login for this identity or identity pool.",
      )
    }
    return { IdentityId: own, Credentials: makeCredentials(pool) }
  },
)

/**
 * The user the logins name; undefined for a guest.
 * @throws {CognitoError} NotAuthorizedException for a token of another issuer, or one that is no longer valid.
 */
async function readLogins(
  pool: VerifyPorts,
  logins: ReadonlyMap<string, string> | undefined,
): Promise<string | undefined> {
  if (logins === undefined || logins.size === 0) return undefined
  const token = logins.get(pool.issuer.replace(/^https?:\/\//u, ''))
  if (token === undefined || logins.size > 1) {
    throw notAuthorized('Token is not from a supported provider of this identity pool.')
  }
  const claims = await readToken(pool, token)
  const session = await findSession(pool.database.read, claims.sub, claims.origin_jti)
  if (!session || session.revoked_at !== null) throw notGood()
  return claims.sub
}

async function readToken(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<IdClaims> {
  try {
    return await readIdToken(pool, token)
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      const now = Math.floor(pool.clock.now().getTime() / 1000)
      throw notAuthorized(`Invalid login token. Token expired: ${now} >= ${String(error.payload.exp)}`)
    }
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw notGood()
    throw error
  }
}

function notGood(): CognitoError {
  return notAuthorized('Invalid login token. Not a valid OpenId Connect identity token.')
}

const LIFETIME_SECONDS = 3600
const KEY_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export type Credentials = {
  AccessKeyId: string
  SecretKey: string
  SessionToken: string
  /** In seconds since 1970. */
  Expiration: number
}

/**
 * Random credentials in the form of Amazon's. Nothing accepts or stores them: a self-hosted installation has no AWS
 * account, but clients need some credentials for a complete session.
 */
function makeCredentials({ clock, random }: { clock: Clock; random: Random }): Credentials {
  const letters = Array.from({ length: 16 }, () => KEY_LETTERS.charAt(random.below(KEY_LETTERS.length))).join('')
  return {
    AccessKeyId: `ASIA${letters}`,
    SecretKey: random.bytes(30).toString('base64'),
    SessionToken: random.bytes(120).toString('base64'),
    Expiration: Math.floor(clock.now().getTime() / 1000) + LIFETIME_SECONDS,
  }
}
