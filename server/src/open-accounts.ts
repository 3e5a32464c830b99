import { createIdentity, type IdentityPorts } from '@marquee/identity'

import type { EventBus } from '@marquee/platform/events/bus'

import { isOnAmazon, openAmazonAccounts } from './amazon-accounts.ts'
import { loadCustomChallenges } from './custom-challenges.ts'
import { isOpenJoinPath, redeemReservation, reserveByPath } from './rooms/club/join-links/service.ts'
import { createLive } from './rooms/news/live/service.ts'
import { forgetTokens } from './rooms/club/personal-tokens/service.ts'
import { factsTo } from './rooms/news/facts/service.ts'
import { findLanguage } from './rooms/club/people/service.ts'
import type { ChangePorts } from './rooms/club/watchlists/service.ts'
import { externalProviderOf } from './settings/oidc-settings.ts'
import type { Accounts } from './ports.ts'
import { PRODUCT_NAME } from './texts/product-name.ts'
import { removePersonAt } from './remove-person.ts'
import type { Settings } from './settings/settings.ts'

/** The built-in user pool, or the Amazon one that the settings name. */
export async function openAccounts(
  settings: Settings,
  ports: Pick<
    IdentityPorts,
    | 'clock'
    | 'random'
    | 'logger'
    | 'database'
    | 'mail'
    | 'limiter'
    | 'onSignIn'
    | 'onMailBudgetNearlySpent'
    | 'masterKey'
    | 'previousMasterKeys'
  > & { readonly bus: EventBus },
  closers: (() => Promise<void>)[],
): Promise<Accounts> {
  if (isOnAmazon(settings)) {
    const accounts = await openAmazonAccounts(settings, ports)
    closers.push(async () => await Promise.resolve(accounts.close()))
    return accounts
  }
  let onChange = (): void => undefined
  const facts = factsOf(ports, () => {
    onChange()
  })
  const identity = await createIdentity({
    ...ports,
    mfa: settings.MFA,
    verification: settings.VERIFICATION,
    registration: registrationOf(settings, ports),
    onUserConfirmed: redeemAt({ ...ports, facts }),
    onUserDeleted: removePersonAt(ports.clock, ports.random, facts.publish),
    onSessionsEnded: forgetTokens,
    languageOf: findLanguage,
    deviceTracking: settings.DEVICE_TRACKING,
    passkeys: settings.PASSKEYS,
    customChallenges: await loadCustomChallenges(settings.CUSTOM_CHALLENGES),
    adminKey: adminKeyOf(settings),
    identityPool: identityPoolOf(settings),
    externalProvider: externalProviderOf(settings),
    oauthClients: settings.OAUTH_CLIENTS ?? [],
    publicUrl: settings.PUBLIC_URL,
    productName: PRODUCT_NAME,
  })
  return {
    ...identity,
    onWatchlistsChange: (call) => {
      onChange = call
    },
  }
}

/** The app, which is built later, announces what is recorded here. */
function factsOf(
  ports: Pick<IdentityPorts, 'random'> & { readonly bus: EventBus },
  wakeActivities: () => void,
): ChangePorts['facts'] {
  return factsTo({ ...ports, live: createLive(ports.bus), wakeActivities })
}

function redeemAt(ports: Parameters<typeof redeemReservation>[0]): NonNullable<IdentityPorts['onUserConfirmed']> {
  return async (trx, { sub: userId, username }) => await redeemReservation(ports, trx, { userId, username })
}

function registrationOf(
  { REGISTRATION: kind }: Settings,
  ports: Pick<IdentityPorts, 'clock' | 'database'>,
): NonNullable<IdentityPorts['registration']> {
  if (kind !== 'invited') return { kind }
  return {
    kind,
    isInvitation: async (path) => await isOpenJoinPath(ports, path),
    reserve: async (trx, { path, sub, email }) => await reserveByPath(ports, trx, { path, userId: sub, email }),
  }
}

/** The key for Cognito's administrative calls, such as looking up users; undefined if they are off. */
function adminKeyOf({ IDENTITY_ACCESS_KEY_ID, IDENTITY_SECRET_ACCESS_KEY }: Settings): IdentityPorts['adminKey'] {
  if (IDENTITY_ACCESS_KEY_ID === undefined || IDENTITY_SECRET_ACCESS_KEY === undefined) return undefined
  return { accessKeyId: IDENTITY_ACCESS_KEY_ID, secretAccessKey: IDENTITY_SECRET_ACCESS_KEY }
}

function identityPoolOf({ COGNITO_IDENTITY_POOL_ID: id, ALLOW_GUESTS }: Settings): IdentityPorts['identityPool'] {
  const allowsGuests = ALLOW_GUESTS === 'on'
  return id === undefined && !allowsGuests ? undefined : { id, allowsGuests }
}
