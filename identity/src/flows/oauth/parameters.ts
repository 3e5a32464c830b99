/** Parameters of a query or form. None may come twice (RFC 6749, 3.1), and an empty one counts as absent. */
export type Parameters = ReadonlyMap<string, string>

/** @throws {OAuthError} invalid_request when a parameter comes twice or contains a NUL character. */
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

/** The same for what a browser brings; undefined where that throws. */
export function readQuery(url: string): Parameters | undefined {
  return readOnce(queryOf(url))
}

/** The same for a form that a browser posts; undefined also when the body is none. */
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
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** An address with parameters added to whatever query it has; undefined ones are left out. */
export function withParameters(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value)
  }
  return url.href
}

/** What another tool may learn of a person. None of them lets it change anything. */
export const SCOPES = ['openid', 'email', 'phone', 'profile'] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes asked for, each once; undefined when one of them does not exist. Without any it is `openid`. */
export function readScopes(text: string | undefined): Scope[] | undefined {
  const named = [...new Set((text ?? 'openid').split(' ').filter((name) => name !== ''))]
  return named.length > 0 && named.every(isScope) ? named : undefined
}

function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name)
}

/** A refusal in the words of RFC 6749 and its companions, answered as JSON. */
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

/** The same words for everything that is wrong with a code or token, so that a guess teaches nothing. */
export const invalidGrant = () => new OAuthError('invalid_grant', 'The code or token is not valid, or not any more')

export const invalidToken = () =>
  new OAuthError('invalid_token', 'The token is not valid, or not any more', 401, {
    'www-authenticate': 'Bearer realm="marquee", error="invalid_token"',
  })
