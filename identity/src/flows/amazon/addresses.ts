/** A user pool of Amazon Cognito, or a compatible one at `endpoint`. */
export type AmazonPool = { region: string; userPoolId: string; clientId: string; endpoint?: string | undefined }

/**
 * The issuers of the pool's tokens and the URL of the keys. Amazon has two forms of the issuer for each region, the
 * newer global one among them; a stand-in has the one under its endpoint.
 */
export function addressesOf({ region, userPoolId, endpoint }: AmazonPool): { issuers: string[]; jwksUrl: URL } {
  if (endpoint !== undefined) return under(`${endpoint.replace(/\/+$/u, '')}/${userPoolId}`, [])
  const domain = amazonDomain(region)
  return under(`https://cognito-idp.${domain}/${userPoolId}`, [`https://issuer-cognito-idp.${domain}/${userPoolId}`])
}

/** The DNS suffix of the services of a region. */
export function amazonDomain(region: string): string {
  return `${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

function under(issuer: string, others: string[]): { issuers: string[]; jwksUrl: URL } {
  return { issuers: [issuer, ...others], jwksUrl: new URL(`${issuer}/.well-known/jwks.json`) }
}

const RETRY_AFTER_SECONDS = 5

/** The user pool is unavailable, so a token or name cannot be checked now. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable'
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS
}
