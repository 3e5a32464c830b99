import { readAuthConfig } from './api.ts'
import type { RunningServer } from './server.ts'

const KEY = { id: 'MARQUEE-JOURNEY', secret: 'what the two servers of a journey both know' }
const IDENTITY_POOL = 'us-east-1:11111111-2222-4333-8444-555555555555'

/** Settings of a server whose user pool replaces Amazon's. */
export const STAND_IN = {
  COGNITO_IDENTITY_POOL_ID: IDENTITY_POOL,
  IDENTITY_ACCESS_KEY_ID: KEY.id,
  IDENTITY_SECRET_ACCESS_KEY: KEY.secret,
}

/** Settings of a server that uses the user pool of another one. */
export async function accountsAt(pool: RunningServer): Promise<Record<string, string>> {
  const { userPoolId, userPoolClientId, userPoolEndpoint } = await readAuthConfig(pool.url)
  return {
    COGNITO_USER_POOL_ID: userPoolId,
    COGNITO_CLIENT_ID: userPoolClientId,
    COGNITO_REGION: 'us-east-1',
    COGNITO_IDENTITY_POOL_ID: IDENTITY_POOL,
    COGNITO_ENDPOINT: userPoolEndpoint,
    AWS_ACCESS_KEY_ID: KEY.id,
    AWS_SECRET_ACCESS_KEY: KEY.secret,
  }
}
