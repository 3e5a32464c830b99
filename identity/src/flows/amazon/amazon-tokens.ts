import { createHash } from 'node:crypto'

import { type Clock, epochSeconds } from '@marquee/platform/runtime/clock'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import { InvalidToken, LONGEST_TOKEN, REMEMBERED_TOKENS, type TokenUser } from '../../parts/tokens/verify.ts'
import { DirectoryUnavailable } from './addresses.ts'

const IdClaims = z.object({
  token_use: z.literal('id'),
  sub: z.string().min(1),
  'cognito:username': z.string().min(1),
  auth_time: z.number().optional(),
  exp: z.number(),
})

/** `authTime` is in seconds since 1970. */
export type AmazonUser = Pick<TokenUser, 'userId' | 'username' | 'expiresAt'> & { authTime: number | undefined }

/**
 * Checks the id tokens of an external pool: signature, issuer, client, kind and age. A verified token is cached by its
 * hash until it expires; an earlier sign-out is known only to that pool.
 */
export function createAmazonTokenVerifier({
  keys,
  issuers,
  clientId,
  clock,
}: {
  keys: JWTVerifyGetKey
  issuers: readonly string[]
  clientId: string
  clock: Clock
}): (token: string) => Promise<AmazonUser> {
  const remembered = new LRUCache<string, AmazonUser>({ max: REMEMBERED_TOKENS })

  async function read(token: string): Promise<AmazonUser> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: [...issuers],
        audience: clientId,
        currentDate: clock.now(),
        requiredClaims: ['exp', 'iat', 'sub'],
      })
      const claims = IdClaims.parse(payload)
      return {
        userId: claims.sub,
        username: claims['cognito:username'],
        expiresAt: claims.exp,
        authTime: claims.auth_time,
      }
    } catch (error) {
      if (!(error instanceof errors.JOSEError) && !(error instanceof z.ZodError)) throw error
      throw new InvalidToken('The token is not valid', { cause: error })
    }
  }

  return async (token) => {
    if (token.length > LONGEST_TOKEN) throw new InvalidToken('The token is too long')
    const hash = createHash('sha256').update(token).digest('base64')
    const known = remembered.get(hash)
    const user = known ?? (await read(token))
    if (user.expiresAt <= epochSeconds(clock)) throw new InvalidToken('The token has expired')
    if (known === undefined) remembered.set(hash, user)
    return user
  }
}

const TIMEOUT_MS = 3_000
/** An unknown key id causes a reload, but not more often than this: forged tokens can name any key id. */
const COOLDOWN_MS = 30_000
/** Keys of this age are refreshed in the background, so that a withdrawn key is not trusted for ever. */
const REFRESH_MS = 10 * MINUTE_MS
/** After a failure, no request waits for another attempt before this time. */
const PAUSE_MS = 5_000

/**
 * The keys a pool publishes. They are fetched once and cached. A token with an unknown key id reloads them, old ones
 * are refreshed in the background, and the known keys stay in use while that fails.
 */
export function publishedKeys(url: URL, { clock, logger }: { clock: Clock; logger: Logger }): JWTVerifyGetKey {
  let failedAt = -Infinity
  let askedAt = -Infinity

  const fetchKeys = async (...[address, options]: Parameters<typeof fetch>): Promise<Response> => {
    const now = clock.now().getTime()
    if (now - failedAt < PAUSE_MS) throw new DirectoryUnavailable('The keys could not be fetched a moment ago')
    askedAt = now
    try {
      const response = await fetch(address, options)
      if (response.status === 200) return response
      throw new Error(`The keys were answered with ${response.status}`)
    } catch (error) {
      failedAt = clock.now().getTime()
      logger.error({ message: reasonOf(error) }, 'the keys of the user pool cannot be fetched')
      throw new DirectoryUnavailable('The keys cannot be fetched', { cause: error })
    }
  }
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Infinity,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetchKeys,
  })

  return async (header, token) => {
    const isOld = clock.now().getTime() - askedAt > REFRESH_MS
    if (keys.jwks() !== undefined && isOld && !keys.reloading) keys.reload().catch(() => undefined)
    try {
      return await keys(header, token)
    } catch (error) {
      if (!isAboutTheKeys(error)) throw error
      throw new DirectoryUnavailable('The keys are not readable', { cause: error })
    }
  }
}

/** The document was fetched, but it is not a key set. That does not make the token invalid. */
function isAboutTheKeys(error: unknown): boolean {
  return error instanceof errors.JWKSInvalid || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
