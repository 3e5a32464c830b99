import { amazonDomain, openDirectory } from '@marquee/identity'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'

import type { Accounts } from './ports.ts'
import type { Settings } from './settings/settings.ts'

/** The three settings of an Amazon Cognito user pool: all are set or none. */
type AmazonSettings = Settings & { COGNITO_USER_POOL_ID: string; COGNITO_CLIENT_ID: string; COGNITO_REGION: string }

export function isOnAmazon(settings: Settings): settings is AmazonSettings {
  return settings.COGNITO_USER_POOL_ID !== undefined
}

/**
 * The accounts of an Amazon Cognito user pool (docs/cognito.md). The settings about second factors, devices and passkeys
 * say how the operator configured the pool.
 */
export async function openAmazonAccounts(
  settings: AmazonSettings,
  world: { clock: Clock; logger: Logger },
): Promise<Accounts & { close: () => void }> {
  const { COGNITO_REGION: region, COGNITO_USER_POOL_ID: userPoolId, COGNITO_CLIENT_ID: clientId } = settings
  const endpoint = settings.COGNITO_ENDPOINT
  const directory = await openDirectory({ region, userPoolId, clientId, endpoint }, world)
  return {
    pool: {
      userPoolId,
      userPoolClientId: clientId,
      ...(endpoint !== undefined && { userPoolEndpoint: endpoint }),
      ...identityPoolOf(settings),
      ...hostedPagesOf(settings),
    },
    features: {
      passkeys: settings.PASSKEYS === 'on',
      devices: settings.DEVICE_TRACKING === 'on',
      secondFactors: settings.MFA !== 'off',
      customChallenges: false,
      verification: settings.VERIFICATION,
      registration: 'open',
      externalProvider: null,
    },
    account: undefined,
    origins: originsOf(settings),
    routes: async () => await Promise.resolve(),
    hostedRoutes: async () => await Promise.resolve(),
    verifyIdToken: directory.verifyIdToken,
    isActive: async ({ userId, username }) => {
      const found = await directory.findUser(username)
      return found?.userId === userId && found.isEnabled
    },
    findUser: directory.findUser,
    findUserByEmail: directory.findUserByEmail,
    close: directory.close,
  }
}

function identityPoolOf({ COGNITO_IDENTITY_POOL_ID, COGNITO_ENDPOINT, ALLOW_GUESTS }: AmazonSettings) {
  if (COGNITO_IDENTITY_POOL_ID === undefined) return {}
  return {
    identityPoolId: COGNITO_IDENTITY_POOL_ID,
    ...(COGNITO_ENDPOINT !== undefined && { identityPoolEndpoint: COGNITO_ENDPOINT }),
    allowGuestAccess: ALLOW_GUESTS === 'on',
  }
}

function hostedPagesOf({ COGNITO_OAUTH_DOMAIN: domain, PUBLIC_URL }: AmazonSettings) {
  if (domain === undefined) return {}
  const back = [`${PUBLIC_URL}/auth/login`]
  const scopes = ['openid', 'email', 'profile', 'aws.cognito.signin.user.admin']
  return {
    loginWith: {
      oauth: { domain, scopes, redirectSignIn: back, redirectSignOut: back, responseType: 'code' as const },
    },
  }
}

function originsOf({
  COGNITO_REGION,
  COGNITO_ENDPOINT,
  COGNITO_IDENTITY_POOL_ID,
  COGNITO_OAUTH_DOMAIN,
}: AmazonSettings) {
  const domain = amazonDomain(COGNITO_REGION)
  const identityPoolRegion = COGNITO_IDENTITY_POOL_ID?.split(':')[0]
  const services =
    COGNITO_ENDPOINT === undefined
      ? [
          `https://cognito-idp.${domain}`,
          ...(identityPoolRegion === undefined ? [] : [`https://cognito-identity.${amazonDomain(identityPoolRegion)}`]),
        ]
      : [new URL(COGNITO_ENDPOINT).origin]
  return [...services, ...(COGNITO_OAUTH_DOMAIN === undefined ? [] : [`https://${COGNITO_OAUTH_DOMAIN}`])]
}
