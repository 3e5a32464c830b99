import { Amplify, type ResourcesConfig } from 'aws-amplify'
import { AuthError, fetchAuthSession, getCurrentUser, signOut } from 'aws-amplify/auth'

import { type PoolConfig, userPool } from '#web/config.ts'

import type { Account } from './account.ts'

type AuthConfig = NonNullable<ResourcesConfig['Auth']>

// Modules that use Amplify import this one first, which configures it.

/** Configures Amplify for the user pool. The endpoint may be a path of this origin, but Amplify needs a whole URL. */
export function configureAmplify(pool: PoolConfig): void {
  const { userPoolEndpoint: endpoint } = pool
  const whole = endpoint === undefined ? {} : { userPoolEndpoint: new URL(endpoint, location.origin).href }
  // The spread of a union loses which kind of pool it is.
  Amplify.configure({ Auth: { Cognito: { ...pool, ...whole } } as AuthConfig })
}

// Before the app starts it has no pool.
const pool = userPool()
if (pool !== undefined) configureAmplify(pool)

/** The account of this browser, which Amplify keeps in local storage. */
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
