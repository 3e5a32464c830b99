import { Amplify } from 'aws-amplify'
import {
  confirmResetPassword,
  confirmSignUp,
  fetchAuthSession,
  getCurrentUser,
  resendSignUpCode,
  resetPassword,
  signIn,
  signOut,
  signUp,
  updatePassword,
} from 'aws-amplify/auth'
import { cognitoUserPoolsTokenProvider } from 'aws-amplify/auth/cognito'
import { ConsoleLogger } from 'aws-amplify/utils'

import type { Client, Endpoint } from './client.ts'

/** `aws-amplify/auth`, configured as its documentation says, tokens in memory. */
export function amplifyClient({ userPoolId, userPoolClientId, userPoolEndpoint }: Endpoint): Client {
  // It warns that the endpoint is not Amazon's.
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, userPoolEndpoint } } })
  cognitoUserPoolsTokenProvider.setKeyValueStorage(memoryStorage())
  return {
    signUp: async ({ username, password, email }) => {
      await signUp({ username, password, options: { userAttributes: { email } } })
    },
    confirm: async (username, confirmationCode) => {
      await confirmSignUp({ username, confirmationCode })
    },
    resend: async (username) => {
      await resendSignUpCode({ username })
    },
    signIn: async (username, password) => {
      const { nextStep } = await signIn({ username, password })
      const { signInStep } = nextStep
      if (signInStep === 'CONFIRM_SIGN_UP' || signInStep === 'RESET_PASSWORD') return signInStep
      if (signInStep !== 'DONE') throw new Error(signInStep)
      return { username: (await getCurrentUser()).username }
    },
    refresh: async () => {
      const { tokens } = await fetchAuthSession({ forceRefresh: true })
      return tokens?.idToken?.toString() ?? ''
    },
    changePassword: async (oldPassword, newPassword) => {
      await updatePassword({ oldPassword, newPassword })
    },
    requestReset: async (username) => {
      const { nextStep } = await resetPassword({ username })
      return nextStep.codeDeliveryDetails.destination ?? ''
    },
    confirmReset: async (username, confirmationCode, newPassword) => {
      await confirmResetPassword({ username, confirmationCode, newPassword })
    },
    signOut: async () => {
      await signOut()
    },
    signOutEverywhere: async () => {
      await signOut({ global: true })
    },
  }
}

function memoryStorage() {
  const items = new Map<string, string>()
  return {
    setItem: async (key: string, value: string) => {
      items.set(key, value)
      await Promise.resolve()
    },
    getItem: async (key: string) => await Promise.resolve(items.get(key) ?? null),
    removeItem: async (key: string) => {
      items.delete(key)
      await Promise.resolve()
    },
    clear: async () => {
      items.clear()
      await Promise.resolve()
    },
  }
}
