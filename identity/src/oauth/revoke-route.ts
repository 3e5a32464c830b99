import type { FastifyInstance } from 'fastify'

import { readRefreshToken } from '../tokens/refresh-token.ts'
import { findRefreshToken, findSession, revokeSession } from '../tokens/session-store.ts'
import { authenticateClient } from './client-authentication.ts'
import { invalidRequest, OAuthError } from './oauth-error.ts'
import { readParameters } from './parameters.ts'
import { formOf } from './token-route.ts'
import type { Pool } from '../base/ports.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'endedSessions' | 'oauthClients'>

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u

/** `POST /oauth2/revoke` (RFC 7009): ends the session of a refresh token; one that is not the client's changes nothing. */
export function mountRevoke(app: FastifyInstance, pool: Ports): void {
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
