import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { InvalidToken, type TokenUser } from '../tokens/id-token-verifier.ts'
import { decideAuthorization, describeAuthorization } from './decide-authorization.ts'
import * as field from '../wire/fields.ts'
import { invalidRequest, invalidToken } from './oauth-error.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

export type VerifyIdToken = (token: string) => Promise<TokenUser>

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu
const Asked = z.object({ request: field.text({ max: 16_384 }) })
const Answered = Asked.extend({ isAllowed: z.boolean() })

/**
 * What the product's own screen asks and answers, for whom the id token names. No cookie is involved, so no other page
 * can answer in a person's name.
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
    return { location: await decideAuthorization(pool, who, readBody(Answered, request.body)) }
  })
}

/** Whose id token a call carries. @throws {OAuthError} invalid_token. */
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
