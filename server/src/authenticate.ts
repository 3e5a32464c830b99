import type { FastifyRequest } from 'fastify'

import { Problem } from '@marquee/contract/problems'
import { InvalidToken } from '@marquee/identity'
import type { Entry } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'

import type { Listener } from './modules/live/routes.ts'
import { findTokenUser, isPersonalToken, type PersonalTokenPorts } from './modules/personal-tokens/service.ts'
import type { User } from './modules/profiles/service.ts'
import type { Accounts } from './ports.ts'
import { problemFor } from './problem-replies.ts'

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu

type Ports = Pick<PersonalTokenPorts, 'database' | 'clock' | 'logger'> & { readonly accounts: Accounts }

/**
 * Identifies the caller by the bearer token: an id token or a personal access token.
 * @throws {HttpProblem} 401 if it is missing, invalid, expired or revoked.
 */
export function authenticateBy(ports: Ports): (request: FastifyRequest) => Promise<Listener> {
  return async (request) => {
    const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined) throw unauthorized('Bearer realm="marquee"')
    try {
      return isPersonalToken(token) ? await ownerOf(ports, token) : await signedInUser(ports, token)
    } catch (error) {
      if (error instanceof InvalidToken) throw unauthorized('Bearer realm="marquee", error="invalid_token"')
      throw error
    }
  }
}

async function signedInUser({ accounts }: Ports, token: string): Promise<Listener> {
  const { userId, username, expiresAt, originJti, authTime } = await accounts.verifyIdToken(token)
  return {
    userId,
    username,
    expiresAt,
    ...(originJti !== undefined && { sessionId: originJti }),
    ...(authTime !== undefined && { authTime }),
  }
}

async function ownerOf(ports: Ports, token: string): Promise<Listener> {
  const owner = await findTokenUser(ports, token)
  if (!owner || (await ports.accounts.isActive?.(owner)) === false) throw new InvalidToken('The token is not valid')
  return owner
}

/** @throws {Problem} FORBIDDEN if the caller has a personal token that may not make this call. */
export function refuseByScope({ user, endpoint: { auth, method } }: Entry<User>): void {
  if (user?.tokenScope === undefined) return
  if (auth === 'sign-in') throw new Problem('FORBIDDEN', 'A personal token cannot do this')
  if (user.tokenScope === 'read' && method !== 'GET') {
    throw new Problem('FORBIDDEN', 'This personal token can only read')
  }
}

function unauthorized(challenge: string): HttpProblem {
  return new HttpProblem({ status: 401, ...problemFor(401), headers: { 'www-authenticate': challenge } })
}
