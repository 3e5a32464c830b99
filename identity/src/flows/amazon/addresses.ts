/** A user pool of Amazon Cognito, or one that speaks like it at an `endpoint` of its own. */
export type AmazonPool = { region: string; userPoolId: string; clientId: string; endpoint?: string | undefined }

/**
 * Who signs the pool's tokens and where the keys are. Amazon has two forms of the issuer for each region, the newer
 * global one among them; a stand-in has the one under its endpoint.
 */
export function addressesOf({ region, userPoolId, endpoint }: AmazonPool): { issuers: string[]; jwksUrl: URL } {
  if (endpoint !== undefined) return under(`${endpoint.replace(/\/+$/u, '')}/${userPoolId}`, [])
  const domain = amazonDomain(region)
  return under(`https://cognito-idp.${domain}/${userPoolId}`, [`https://issuer-cognito-idp.${domain}/${userPoolId}`])
}

/** What the names of a region's services end with. */
export function amazonDomain(region: string): string {
  return `${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

function under(issuer: string, others: string[]): { issuers: string[]; jwksUrl: URL } {
  return { issuers: [issuer, ...others], jwksUrl: new URL(`${issuer}/.well-known/jwks.json`) }
}

const RETRY_AFTER_SECONDS = 5

/** The user pool cannot be asked just now, so nothing can be said about a token or a name; later it may be. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable'
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS
}
