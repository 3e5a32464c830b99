import { NO_CALLER } from '@marquee/platform/http/caller'
import type { FastifyInstance } from 'fastify'

import type { CustomChallenges } from './base/custom-challenges.ts'
import { CognitoError } from './base/errors/refusals.ts'
import type { IdentityPorts } from './base/settings.ts'
import { openPool } from './compose.ts'
import { type Account, createAccount } from './flows/account/account.ts'
import { type Admin, createAdmin } from './flows/admin/admin.ts'
import { createDirectory, type Directory, type Entry } from './flows/admin/directory.ts'
import { amazonDomain, DirectoryUnavailable } from './flows/amazon/addresses.ts'
import type * as Amazon from './flows/amazon/directory.ts'
import { createFirstAccount, type FirstAccount } from './flows/admin/first-account.ts'
import { createKeys, type Keys } from './flows/upkeep/keys.ts'
import { sweepRegularly } from './flows/upkeep/sweep.ts'
import { mountDiscovery } from './http/discovery.ts'
import { mountEndpoint } from './http/endpoint.ts'
import { mountHostedSignIn } from './http/hosted-sign-in.ts'
import { allowAnyOrigin } from './http/reply.ts'
import { usableRelyingParty } from './parts/passkeys/webauthn.ts'
import { createIdTokenVerifier, InvalidToken, type TokenUser } from './parts/tokens/verify.ts'
import { findConfirmedUser, findUserByEmail, type FoundUser } from './parts/users/account.ts'

export { coarseClient } from './base/audit/record-event.ts'
export { SEALED_COLUMNS } from './flows/upkeep/keys.ts'
export { isEncrypted } from './flows/upkeep/lasting-keys.ts'
export { identityMigrations } from './migrations/index.ts'
export { amazonDomain, CognitoError as RefusedRequest, DirectoryUnavailable, InvalidToken }
export type { CustomChallenges, Entry, IdentityPorts, TokenUser }

/** Opens Amazon Cognito as the directory; its libraries are loaded only then. */
export async function openDirectory(...given: Parameters<typeof Amazon.openDirectory>): Promise<Amazon.Directory> {
  const { openDirectory: open } = await import('./flows/amazon/directory.ts')
  return open(...given)
}

/** The built-in user pool, as the rest of the program sees it. */
export type Identity = {
  /** The Amplify configuration of the web app; the endpoint is `<publicUrl>/identity/`. */
  pool: {
    userPoolId: string
    userPoolClientId: string
    userPoolEndpoint: string
    /** Only where there is an identity pool. */
    identityPoolId?: string
    identityPoolEndpoint?: string
    allowGuestAccess?: boolean
  }
  /** The features of this installation; screens hide the others. */
  features: {
    passkeys: boolean
    devices: boolean
    secondFactors: boolean
    customChallenges: boolean
    /** Whether the mail that confirms a sign-up has a code or a link. */
    verification: 'code' | 'link'
    /** Who may create an account. */
    registration: 'open' | 'invited' | 'closed'
    /** The name of the external provider, where there is one. */
    externalProvider: string | null
  }
  account: Account
  /** The actions of operators. */
  admin: Admin
  /** The account of the person who sets up the installation. */
  firstAccount: FirstAccount
  /** Lists and changes users, for operators. */
  directory: Directory
  /** Rotates keys without signing anyone out (docs/security/stored.md). */
  keys: Keys
  /** The Cognito-compatible API, to be registered under the prefix `/identity`. */
  routes: (app: FastifyInstance) => Promise<void>
  /** Sign-in for other tools, and with an external provider, where the settings name any; for the root. */
  hostedRoutes: (app: FastifyInstance) => Promise<void>
  /** The user of an id token. @throws {InvalidToken} when it is not ours, has expired, or is signed out. */
  verifyIdToken: (token: string) => Promise<TokenUser>
  /** Calls the listener once when that session ends, here or elsewhere. The returned function unsubscribes. */
  onSessionEnd: (originJti: string, listener: () => void) => () => void
  /** The confirmed user of that username, compared without case. */
  findUser: (username: string) => Promise<FoundUser | undefined>
  /** The user with that verified e-mail address, compared without case. */
  findUserByEmail: (email: string) => Promise<FoundUser | undefined>
}

/** Opens the user pool on a database whose identity tables are up to date. */
export async function createIdentity(ports: IdentityPorts): Promise<Identity> {
  const pool = await openPool(ports)
  const endpoint = `${ports.publicUrl.replace(/\/+$/u, '')}/identity/`
  const verifyIdToken = createIdTokenVerifier(pool)
  // Operators use the command line.
  const operated = { ...pool, ...NO_CALLER }
  return {
    pool: {
      userPoolId: pool.id,
      userPoolClientId: pool.clientId,
      userPoolEndpoint: endpoint,
      ...(pool.identityPool && {
        identityPoolId: pool.identityPool.id,
        identityPoolEndpoint: endpoint,
        allowGuestAccess: pool.identityPool.allowsGuests,
      }),
    },
    features: {
      passkeys: usableRelyingParty(pool) !== undefined,
      devices: pool.tracksDevices,
      secondFactors: pool.mfa !== 'off',
      customChallenges: pool.customChallenges !== undefined,
      verification: pool.verification,
      registration: pool.registration.kind,
      externalProvider: pool.external?.settings.name ?? null,
    },
    account: createAccount(pool),
    admin: createAdmin(operated),
    firstAccount: createFirstAccount(operated),
    directory: createDirectory(operated),
    keys: createKeys(pool),
    routes: async (app) => {
      allowAnyOrigin(app)
      mountEndpoint(app, pool)
      mountDiscovery(app, pool)
      sweepRegularly(app, pool)
    },
    hostedRoutes: async (app) => {
      mountHostedSignIn(app, pool, verifyIdToken)
    },
    verifyIdToken,
    onSessionEnd: pool.endedSessions.onEnd,
    findUser: async (username) => await findConfirmedUser(pool, username),
    findUserByEmail: async (email) => await findUserByEmail(pool, email),
  }
}
