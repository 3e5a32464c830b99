import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptOnlyJson, readTextBody } from '@marquee/platform/http/json-bodies'

import { CognitoError } from '../base/errors/refusals.ts'
import { admitCall } from '../base/limits/address-limits.ts'
import type { Pool, SealPorts, VerifyPorts } from '../base/ports.ts'
import { mountExternal } from '../flows/external/routes.ts'
import { mountAuthorize } from '../flows/oauth/authorize.ts'
import { mountConsent, type VerifyIdToken } from '../flows/oauth/consent.ts'
import { mountLogout } from '../flows/oauth/logout.ts'
import { OAuthError } from '../flows/oauth/parameters.ts'
import { mountRevoke, mountToken } from '../flows/oauth/token.ts'
import { mountUserInfo } from '../flows/oauth/user-info.ts'

type Ports = VerifyPorts &
  SealPorts &
  Pick<
    Pool,
    | 'onUserConfirmed'
    | 'registration'
    | 'endedSessions'
    | 'external'
    | 'languageOf'
    | 'limiter'
    | 'logger'
    | 'mail'
    | 'name'
    | 'oauthClients'
    | 'productName'
    | 'publicUrl'
    | 'tracksDevices'
  >

const FORM = 'application/x-www-form-urlencoded'

/** Where programs may call from pages of any origin: no cookie is involved. */
const FOR_PROGRAMS = ['/oauth2/token', '/oauth2/revoke', '/oauth2/userInfo']

/**
 * Sign-in for other tools over OAuth 2, under the public address, and with an external provider, each only if it is
 * configured.
 */
export function mountHostedSignIn(app: FastifyInstance, pool: Ports, verifyIdToken: VerifyIdToken): void {
  answerInOAuthWords(app, pool)
  if (pool.oauthClients.length > 0) mountForTools(app, pool, verifyIdToken)
  if (pool.external) mountExternal(app, pool, pool.external, verifyIdToken)
}

function answerInOAuthWords(app: FastifyInstance, pool: Pick<Pool, 'limiter' | 'logger'>): void {
  acceptOnlyJson(app)
  app.addContentTypeParser(FORM, readTextBody)
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toOAuthError(error)
    if (refusal.status >= 500) pool.logger.error({ err: error, requestId: request.id }, 'an OAuth call failed')
    return await reply
      .status(refusal.status)
      .headers(refusal.headers)
      .send({ error: refusal.error, error_description: refusal.message })
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    if (FOR_PROGRAMS.includes(pathOf(request))) reply.header('access-control-allow-origin', '*')
    await admitCall(pool.limiter, 'OAuth', request.ip)
  })
}

function mountForTools(app: FastifyInstance, pool: Ports, verifyIdToken: VerifyIdToken): void {
  for (const path of FOR_PROGRAMS) {
    app.options(path, async (_request, reply) => {
      return await reply
        .status(204)
        .header('access-control-allow-methods', 'GET, POST, OPTIONS')
        .header('access-control-allow-headers', 'authorization, content-type, x-amz-user-agent, cache-control')
        .header('access-control-max-age', '172800')
        .send()
    })
  }
  mountAuthorize(app, pool)
  mountConsent(app, pool, verifyIdToken)
  mountToken(app, pool)
  mountRevoke(app, pool)
  mountUserInfo(app, pool)
  mountLogout(app, pool)
}

function pathOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? ''
}

function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof CognitoError && error.type === 'TooManyRequestsException') {
    return new OAuthError('temporarily_unavailable', 'Too many requests', 429, { 'retry-after': '60' })
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500
  return status < 500
    ? new OAuthError('invalid_request', 'The request cannot be read', status)
    : new OAuthError('server_error', 'Something went wrong here', 500)
}
