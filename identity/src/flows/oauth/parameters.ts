/** Parameters of a query or form. None may be repeated (RFC 6749, 3.1), and an empty one counts as absent. */
export type Parameters = ReadonlyMap<string, string>

/** @throws {OAuthError} invalid_request when a parameter is repeated or contains a NUL character. */
export function readParameters(text: string): Parameters {
  const read = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue
    if (read.has(name)) throw invalidRequest('A parameter comes twice')
    // PostgreSQL cannot store NUL.
    if (value.includes('\0')) throw invalidRequest('Parameters must not contain NUL characters')
    read.set(name, value)
  }
  return read
}

/** The same, but undefined where that throws. */
export function readQuery(url: string): Parameters | undefined {
  return readOnce(queryOf(url))
}

/** The same for a posted form; undefined also when the body is not a form. */
export function readForm(body: unknown): Parameters | undefined {
  return typeof body === 'string' ? readOnce(body) : undefined
}

function readOnce(text: string): Parameters | undefined {
  try {
    return readParameters(text)
  } catch (error) {
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

/** The query string of a URL, without the question mark. */
function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** A URL with parameters added to its query; undefined ones are left out. */
export function withParameters(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value)
  }
  return url.href
}

/** The scopes of another tool. None of them permits a change. */
export const SCOPES = ['openid', 'email', 'phone', 'profile'] as const
export type Scope = (typeof SCOPES)[number]

/** Asks for a refresh token, which each tool gets after consent. Many tools name it. */
const OFFLINE_ACCESS = 'offline_access'

/** The requested scopes without duplicates, `openid` by default; undefined when one of them does not exist. */
export function readScopes(text: string | undefined): Scope[] | undefined {
  const asked = (text ?? 'openid').split(' ').filter((name) => name !== '' && name !== OFFLINE_ACCESS)
  const named = [...new Set(asked)]
  return named.length > 0 && named.every(isScope) ? named : undefined
}

function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name)
}

/** An error code of RFC 6749 and related standards, sent as JSON. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly error: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(error: string, description: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}

export const invalidRequest = (description: string) => new OAuthError('invalid_request', description)

/** One error for every invalid code or token, so that a guess reveals nothing. */
export const invalidGrant = () => new OAuthError('invalid_grant', 'The code or token is not valid, or not any more')

export const invalidToken = () =>
  new OAuthError('invalid_token', 'The token is not valid, or not any more', 401, {
    'www-authenticate': 'Bearer realm="marquee", error="invalid_token"',
  })
