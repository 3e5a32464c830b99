const LONGEST_NAME = 100
const IDENTITY_POOL = 'AWSCognitoIdentityService'

/** What a request is for, by its `X-Amz-Target` (identity.md 1.1). */
export type Target = { service: 'user-pool' | 'identity-pool'; name: string }

/** The name is what stands after the last dot. */
export function readTarget(header: string | string[] | undefined): Target {
  const target = typeof header === 'string' ? header : ''
  const name = target.split('.').at(-1)?.slice(0, LONGEST_NAME) ?? ''
  return { service: target === `${IDENTITY_POOL}.${name}` ? 'identity-pool' : 'user-pool', name }
}
