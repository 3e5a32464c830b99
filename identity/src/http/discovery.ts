import type { FastifyInstance } from 'fastify'

import type { Pool } from '../base/ports.ts'
import { SCOPES } from '../flows/oauth/parameters.ts'

type Ports = Pick<Pool, 'id' | 'issuer' | 'oauthClients' | 'publicUrl' | 'signingKeys'>

/** How long verifiers may keep the keys; a new key is published longer than this before it signs. */
const CACHE_SECONDS = 900

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none']

/** The JWKS and discovery documents under the issuer. Endpoints that are not offered are left out. */
export function mountDiscovery(app: FastifyInstance, pool: Ports): void {
  const discovery = {
    issuer: pool.issuer,
    jwks_uri: `${pool.issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code'],
    scopes_supported: SCOPES,
    subject_types_supported: ['public'],
    ...(pool.oauthClients.length > 0 && hostedSignIn(pool)),
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

/** The metadata that other tools need to sign users in. */
function hostedSignIn({ publicUrl }: Pick<Pool, 'publicUrl'>): object {
  return {
    authorization_endpoint: `${publicUrl}/oauth2/authorize`,
    token_endpoint: `${publicUrl}/oauth2/token`,
    userinfo_endpoint: `${publicUrl}/oauth2/userInfo`,
    revocation_endpoint: `${publicUrl}/oauth2/revoke`,
    end_session_endpoint: `${publicUrl}/logout`,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
