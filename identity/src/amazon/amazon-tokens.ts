import { createHash } from 'node:crypto'

import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

import { boundedMap } from '@marquee/platform/runtime/bounded-map'
import { type Clock, epochSeconds } from '@marquee/platform/runtime/clock'

import { InvalidToken, LONGEST_TOKEN, REMEMBERED_TOKENS, type TokenUser } from '../tokens/id-token-verifier.ts'

const IdClaims = z.object({
  token_use: z.literal('id'),
  sub: z.string().min(1),
  'cognito:username': z.string().min(1),
  exp: z.number(),
})

export type AmazonUser = Pick<TokenUser, 'userId' | 'username' | 'expiresAt'>

/**
 * Checks the id tokens of a pool that is elsewhere: signature, issuer, client, kind and age. A verified token is
 * remembered by its hash until it expires; that its session ended meanwhile only its own pool knows.
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
  const remembered = boundedMap<AmazonUser>(REMEMBERED_TOKENS)

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
      return { userId: claims.sub, username: claims['cognito:username'], expiresAt: claims.exp }
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
