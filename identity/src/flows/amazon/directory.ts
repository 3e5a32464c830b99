import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'

import { addressesOf, type AmazonPool } from './addresses.ts'
import { type AmazonUser, createAmazonTokenVerifier, publishedKeys } from './amazon-tokens.ts'
import { type AmazonAccount, createAmazonUsers } from './amazon-users.ts'

const CONNECTION_TIMEOUT_MS = 2_000
const REQUEST_TIMEOUT_MS = 3_000
const ATTEMPTS = 2

/** The operations that the product needs from an external user pool. */
export type Directory = {
  /** The user of an id token. @throws {InvalidToken}, {DirectoryUnavailable}. */
  verifyIdToken: (token: string) => Promise<AmazonUser>
  /** The confirmed user of that username, compared without case. @throws {DirectoryUnavailable}. */
  findUser: (username: string) => Promise<AmazonAccount | undefined>
  /** The confirmed user with that verified e-mail address. @throws {DirectoryUnavailable}. */
  findUserByEmail: (email: string) => Promise<AmazonAccount | undefined>
  close: () => void
}

/** Opens Amazon Cognito as the directory. Credentials come from the default provider chain of the AWS SDK. */
export function openDirectory(pool: AmazonPool, world: { clock: Clock; logger: Logger }): Directory {
  const { issuers, jwksUrl } = addressesOf(pool)
  const client = new CognitoIdentityProviderClient({
    region: pool.region,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    ...(pool.endpoint !== undefined && { endpoint: pool.endpoint }),
  })
  return {
    verifyIdToken: createAmazonTokenVerifier({
      ...world,
      keys: publishedKeys(jwksUrl, world),
      issuers,
      clientId: pool.clientId,
    }),
    ...createAmazonUsers({ ...world, client, userPoolId: pool.userPoolId }),
    close: () => {
      client.destroy()
    },
  }
}
