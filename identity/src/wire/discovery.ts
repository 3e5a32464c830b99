import type { FastifyInstance } from 'fastify'

import type { Pool } from '../pool/pool.ts'

/** How long verifiers may keep the keys; a new key is published longer than this before it signs. */
const CACHE_SECONDS = 900

/** The JWKS and discovery documents under the issuer (identity.md 5.6). Endpoints that are not offered are left out. */
export function mountDiscovery(app: FastifyInstance, pool: Pool): void {
  const discovery = {
    issuer: pool.issuer,
    jwks_uri: `${pool.issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'token'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
  }
  for (const [path, document] of [
    ['jwks.json', () => ({ keys: pool.signingKeys.published() })],
    ['openid-configuration', () => discovery],
  ] as const) {
    app.get(`/${pool.id}/.well-known/${path}`, async (_request, reply) => {
      return await reply
        .header('content-type', 'application/json')
        .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
        .send(Buffer.from(JSON.stringify(document()), 'utf8'))
    })
  }
}
