import { Amplify, type ResourcesConfig } from 'aws-amplify'
import { AuthError, fetchAuthSession, getCurrentUser, signOut } from 'aws-amplify/auth'

import { features, type PoolConfig } from '#web/config.ts'

import { failHostedReturn } from './hosted-sign-in.ts'
import { createSessionStore, type Account } from './session-store.ts'

type AuthConfig = NonNullable<ResourcesConfig['Auth']>

/** Configures Amplify for the user pool. The endpoint may be a path of this origin, but Amplify needs a whole URL. */
export function configureAmplify(pool: PoolConfig): void {
  const { userPoolEndpoint: endpoint } = pool
  const whole = endpoint === undefined ? {} : { userPoolEndpoint: new URL(endpoint, location.origin).href }
  // The spread of a union loses which kind of pool it is.
  Amplify.configure({ Auth: { Cognito: { ...pool, ...whole } } as AuthConfig })
}

/** The account of this browser, which Amplify keeps in local storage. */
const amplifyAccount: Account = {
  readUser: async () => {
    try {
      const { userId, username, signInDetails } = await getCurrentUser()
      return { userId, username, loginId: signInDetails?.loginId ?? username }
    } catch (error) {
      if (error instanceof AuthError && error.name === 'UserUnAuthenticatedException') return undefined
      throw error
    }
  },

  idToken: async (renew) => {
    const { tokens } = await fetchAuthSession({ forceRefresh: renew === 'always' })
    return tokens?.idToken?.toString()
  },

  signOut: async () => signOut(),
}

const SIGN_IN_KEYS = /^CognitoIdentityServiceProvider\..+\.(?:LastAuthUser|refreshToken|clockDrift)$/u

/** Calls back when another tab may have signed in or out: it did, or this page was suspended. */
function onOtherTabs(callback: () => void): void {
  globalThis.addEventListener('storage', ({ key }) => {
    if (key === null || SIGN_IN_KEYS.test(key)) callback()
  })
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) callback()
  })
}

const RETRY_MS = 5_000
/** A service that takes longer to answer counts as unreachable. Its answer still counts. */
const SLOW_MS = 8_000

/** The session of this tab. */
export const session = createSessionStore(amplifyAccount)

/**
 * Starts the session of this tab. Called once, before the app is mounted. If the identity service cannot be reached to
 * renew old tokens, the state stays `loading` and unreachable, and is read again until it is known.
 */
export function startSession(pool: PoolConfig): void {
  configureAmplify(pool)
  const returned = features().hostedPages ? takeHostedReturn() : Promise.resolve()
  const read = () => {
    const slow = setTimeout(session.reportUnreachable, SLOW_MS)
    returned
      .then(session.refresh)
      .catch(() => {
        session.reportUnreachable()
        setTimeout(read, RETRY_MS)
      })
      .finally(() => clearTimeout(slow))
  }
  onOtherTabs(read)
  read()
}

/** Finishes a sign-in on the pool's hosted pages. Everything else works without it. */
async function takeHostedReturn(): Promise<void> {
  try {
    const { startHostedReturn } = await import('./hosted-return.ts')
    await startHostedReturn()
  } catch {
    failHostedReturn()
  }
}

/**
 * Loads the actions of signing in: a large part of Amplify, which no screen needs to appear. Call it early, such as when a
 * form gets the focus.
 */
export async function loadIdentity() {
  return import('#web/account/identity.ts')
}
