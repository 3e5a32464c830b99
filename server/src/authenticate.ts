import { ACCESS } from '@marquee/contract/access'
import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { Problem } from '@marquee/contract/problems'
import { InvalidToken } from '@marquee/identity'
import type { Entry, HttpEndpoint } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'

import type { Credentials, Listener } from './rooms/news/live/follower.ts'
import { findPassHolder } from './rooms/nights/nights/service.ts'
import { findTokenUser, isPersonalToken, type PersonalTokenPorts } from './rooms/club/personal-tokens/service.ts'
import type { NightPass, Principal } from './rooms/club/people/service.ts'
import type { Accounts } from './ports.ts'
import { problemFor } from './openapi/problem-replies.ts'

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu

type Ports = Pick<PersonalTokenPorts, 'database' | 'clock' | 'logger'> & { readonly accounts: Accounts }

/**
 * Identifies the caller by the bearer token: an id token, a personal access token or, for calls that accept them, a pass of
 * the night in the path.
 * @throws {HttpProblem} 401 if it is missing, invalid, expired, revoked, or a pass that may not make this call.
 */
export function authenticateBy(ports: Ports): (credentials: Credentials, endpoint: HttpEndpoint) => Promise<Listener> {
  return async (credentials, endpoint) => {
    const [, token] = BEARER.exec(credentials.headers.authorization ?? '') ?? []
    if (token === undefined) throw unauthorized('Bearer realm="marquee"')
    if (endpoint.auth === 'user-or-pass') {
      const holder = await findPassHolder(ports, token)
      if (holder && mayCall(holder.pass, credentials, endpoint)) return holder
    }
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
export function refuseByScope({ user, endpoint: { auth, method } }: Entry<Principal>): void {
  if (user?.tokenScope === undefined) return
  if (auth === 'sign-in') throw new Problem('FORBIDDEN', 'A personal token cannot do this')
  if (user.tokenScope === 'read' && method !== 'GET') {
    throw new Problem('FORBIDDEN', 'This personal token can only read')
  }
}

function mayCall({ role, nightId }: NightPass, { params }: Credentials, endpoint: HttpEndpoint): boolean {
  const isOfNight = (params as Readonly<Record<string, unknown>>)['nightId'] === nightId
  return isOfNight && CALLS[role].has(endpoint)
}

const CALLS = { nightGuest: callsOf('nightGuest'), screen: callsOf('screen') }

function callsOf(role: NightPass['role']): ReadonlySet<HttpEndpoint> {
  const rows = Object.values<{ by: readonly string[]; calls: readonly EndpointName[] }>(ACCESS)
  return new Set(
    rows.filter(({ by }) => by.includes(role)).flatMap(({ calls }) => calls.map((name) => ENDPOINTS[name])),
  )
}

function unauthorized(challenge: string): HttpProblem {
  return new HttpProblem({ status: 401, ...problemFor(401), headers: { 'www-authenticate': challenge } })
}
