import type { FastifyInstance } from 'fastify'

import { refreshGrant } from './refresh-grant.ts'
import { authenticateClient } from './client-authentication.ts'
import { exchangeCode } from './exchange-code.ts'
import { invalidRequest, OAuthError } from './oauth-error.ts'
import { readParameters } from './parameters.ts'
import { type Pool, type VerifyPorts, withCaller } from '../base/ports.ts'

type Ports = VerifyPorts &
  Pick<Pool, 'endedSessions' | 'keyring' | 'mail' | 'oauthClients' | 'productName' | 'random' | 'tracksDevices'>

/** `POST /oauth2/token`: a code or a refresh token becomes tokens. */
export function mountToken(app: FastifyInstance, pool: Ports): void {
  app.post('/oauth2/token', async (request) => {
    const form = readParameters(formOf(request.body))
    const client = authenticateClient(pool, request.headers.authorization, form)
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return await exchangeCode(withCaller(pool, request), client, form)
      case 'refresh_token':
        return await refreshGrant(withCaller(pool, request), client, form)
      case undefined:
        throw invalidRequest('grant_type is missing')
      default:
        throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
    }
  })
}

/** @throws {OAuthError} invalid_request when the body was not a form. */
export function formOf(body: unknown): string {
  if (typeof body !== 'string') throw invalidRequest('The body must be application/x-www-form-urlencoded')
  return body
}
