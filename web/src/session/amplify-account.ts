import { Amplify, type ResourcesConfig } from 'aws-amplify'
import { AuthError, fetchAuthSession, getCurrentUser, signOut } from 'aws-amplify/auth'

import type { Account } from './session-store.ts'

type AuthConfig = NonNullable<ResourcesConfig['Auth']>

/** The object Amplify takes as `Auth.Cognito`, as /config.json hands it out. */
export type PoolConfig = AuthConfig['Cognito']

/** Points Amplify at the user pool. Its endpoint may be a path of this origin; Amplify itself takes whole URLs only. */
export function configureAmplify(pool: PoolConfig): void {
  const { userPoolEndpoint: endpoint } = pool
  const whole = endpoint === undefined ? {} : { userPoolEndpoint: new URL(endpoint, location.origin).href }
  // The spread of a union loses which kind of pool it is; only the spelling of the endpoint changes.
  Amplify.configure({ Auth: { Cognito: { ...pool, ...whole } } as AuthConfig })
}

/** The account of this browser as Amplify keeps it, in local storage. */
export const amplifyAccount: Account = {
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

/** Calls back when another tab of this browser signed in or out, or may have done so while this page was suspended. */
export function onOtherTabs(callback: () => void): void {
  globalThis.addEventListener('storage', ({ key }) => {
    if (key === null || SIGN_IN_KEYS.test(key)) callback()
  })
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) callback()
  })
}
