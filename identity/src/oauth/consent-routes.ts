import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { InvalidToken, type TokenUser } from '../tokens/id-token-verifier.ts'
import { decideAuthorization, describeAuthorization } from './decide-authorization.ts'
import { invalidRequest, invalidToken } from './oauth-error.ts'

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu
const Asked = z.object({ request: z.string().max(16_384) })
const Answered = Asked.extend({ isAllowed: z.boolean() })

/**
 * What the product's own screen asks and answers, for whom the id token names. No cookie is involved, so no other page
 * can answer in a person's name.
 */
export function mountConsent(
  app: FastifyInstance,
  pool: Pool,
  verifyIdToken: (token: string) => Promise<TokenUser>,
): void {
  app.post('/oauth2/question', async (request) => {
    const who = await bearerOf(request, verifyIdToken)
    return await describeAuthorization(pool, who, read(Asked, request.body).request)
  })
  app.post('/oauth2/answer', async (request) => {
    const who = await bearerOf(request, verifyIdToken)
    return { location: await decideAuthorization(pool, who, read(Answered, request.body)) }
  })
}

async function bearerOf(
  { headers }: FastifyRequest,
  verifyIdToken: (token: string) => Promise<TokenUser>,
): Promise<TokenUser> {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? []
  if (token === undefined) throw invalidToken()
  try {
    return await verifyIdToken(token)
  } catch (error) {
    throw error instanceof InvalidToken ? invalidToken() : error
  }
}

function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const { success, data } = schema.safeParse(body)
  if (!success) throw invalidRequest('The body is not what is expected here')
  return data
}
