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
