/* oxlint-disable typescript/no-deprecated -- apps that still use this library must be able to sign in */
import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserAttribute,
  CognitoUserPool,
  type CognitoUserSession,
  type ICognitoStorage,
} from 'amazon-cognito-identity-js'

import type { Client, Endpoint } from './client.ts'

type Done<T> = (error: Error | null | undefined, result?: T) => void

/** `amazon-cognito-identity-js` with its documented `endpoint` setting. */
export function legacyClient({ userPoolId, userPoolClientId, userPoolEndpoint }: Endpoint): Client {
  const Storage = memoryStorage()
  const Pool = new CognitoUserPool({
    UserPoolId: userPoolId,
    ClientId: userPoolClientId,
    endpoint: userPoolEndpoint,
    Storage,
  })
  const named = (Username: string) => new CognitoUser({ Username, Pool, Storage })
  let user = named('unknown')
  let session: CognitoUserSession | undefined
  return {
    signUp: async ({ username, password, email }) => {
      const attributes = [new CognitoUserAttribute({ Name: 'email', Value: email })]
      await settled((done) => {
        Pool.signUp(username, password, attributes, [], done)
      })
    },
    confirm: async (username, code) => {
      await settled((done) => {
        named(username).confirmRegistration(code, false, done)
      })
    },
    resend: async (username) => {
      await settled((done) => {
        named(username).resendConfirmationCode(done)
      })
    },
    signIn: async (login, password) => {
      user = named(login)
      const details = new AuthenticationDetails({ Username: login, Password: password })
      const signedIn = await new Promise<CognitoUserSession>((resolve, reject) => {
        user.authenticateUser(details, { onSuccess: resolve, onFailure: reject })
      })
      session = signedIn
      const claims = signedIn.getIdToken().decodePayload()
      return { username: String(claims['cognito:username']) }
    },
    refresh: async () => {
      const token = session?.getRefreshToken()
      if (!token) throw new Error('No user is signed in')
      session = await settled<CognitoUserSession>((done) => {
        user.refreshSession(token, done)
      })
      return session.getIdToken().getJwtToken()
    },
    changePassword: async (previous, proposed) => {
      await settled((done) => {
        user.changePassword(previous, proposed, done)
      })
    },
    requestReset: async (login) =>
      await new Promise((resolve, reject) => {
        named(login).forgotPassword({
          onSuccess: (reply: { CodeDeliveryDetails: { Destination: string } }) => {
            resolve(reply.CodeDeliveryDetails.Destination)
          },
          onFailure: reject,
        })
      }),
    confirmReset: async (login, code, password) => {
      await new Promise((resolve, reject) => {
        named(login).confirmPassword(code, password, { onSuccess: resolve, onFailure: reject })
      })
    },
    signOutEverywhere: async () => {
      await new Promise((resolve, reject) => {
        user.globalSignOut({ onSuccess: resolve, onFailure: reject })
      })
    },
    signOut: async () => {
      await new Promise<void>((resolve) => {
        user.signOut(resolve)
      })
    },
  }
}

async function settled<T>(start: (done: Done<T>) => void): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    start((error, result) => {
      if (error) reject(error)
      else resolve(result as T)
    })
  })
}

function memoryStorage(): ICognitoStorage {
  const items = new Map<string, string>()
  return {
    setItem: (key, value) => {
      items.set(key, value)
    },
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => {
      items.delete(key)
    },
    clear: () => {
      items.clear()
    },
  }
}
