import type { FastifyRequest } from 'fastify'

import { InvalidToken } from '@marquee/identity'
import { HttpProblem } from '@marquee/platform/http/problem'

import type { Listener } from './modules/live/routes.ts'
import type { Accounts } from './ports.ts'
import { problemFor } from './problem-replies.ts'

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu

/**
 * Identifies the caller by the bearer id token.
 * @throws {HttpProblem} 401 if it is missing, invalid, expired or revoked.
 */
export function authenticateBy(accounts: Accounts): (request: FastifyRequest) => Promise<Listener> {
  return async (request) => {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined) throw unauthorized('Bearer realm="marquee"')
    try {
      const { userId, username, expiresAt, originJti } = await accounts.verifyIdToken(token)
      return { userId, username, expiresAt, ...(originJti !== undefined && { sessionId: originJti }) }
    } catch (error) {
      if (error instanceof InvalidToken) throw unauthorized('Bearer realm="marquee", error="invalid_token"')
      throw error
    }
  }
}

function unauthorized(challenge: string): HttpProblem {
  return new HttpProblem({ status: 401, ...problemFor(401), headers: { 'www-authenticate': challenge } })
}
