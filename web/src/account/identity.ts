import {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  resendSignUpCode,
  resetPassword,
  type SignInOutput,
  signIn as amplifySignIn,
  signInWithRedirect,
  signUp as amplifySignUp,
  updatePassword,
} from 'aws-amplify/auth'

import { features } from '#web/config.ts'

export type CodeSource = 'app' | 'mail' | 'text-message'
export type FirstFactor = 'password' | 'passkey' | 'mail' | 'text-message'

/** A challenge of the installation's own, and whether the answer before it was right where there was one. */
export type Question = { kind: 'question'; question: string | undefined; previousAnswer: string | undefined }

/** What a sign-in asks for before it is done; each has its screen. */
export type Challenge =
  | { kind: 'code'; source: CodeSource; destination: string | undefined }
  | { kind: 'choice'; sources: readonly CodeSource[] }
  | { kind: 'set-up-choice'; sources: readonly CodeSource[] }
  | { kind: 'set-up-app'; secret: string; uriFor: (product: string, account: string) => string }
  | { kind: 'set-up-mail' }
  | { kind: 'first-factor'; factors: readonly FirstFactor[] }
  | { kind: 'password' }
  | { kind: 'new-password' }
  | Question

/** Where a sign-in goes on. */
export type SignInStep = 'done' | 'confirm-sign-up' | 'reset-password' | Challenge

const SOURCES = { TOTP: 'app', EMAIL: 'mail', SMS: 'text-message' } as const
const FACTORS = {
  PASSWORD: 'password',
  PASSWORD_SRP: 'password',
  WEB_AUTHN: 'passkey',
  EMAIL_OTP: 'mail',
  SMS_OTP: 'text-message',
} as const

function isFactor(name: string): name is keyof typeof FACTORS {
  return Object.hasOwn(FACTORS, name)
}

function stepOf({ nextStep }: SignInOutput): SignInStep {
  switch (nextStep.signInStep) {
    case 'DONE':
      return 'done'
    case 'CONFIRM_SIGN_UP':
      return 'confirm-sign-up'
    case 'RESET_PASSWORD':
      return 'reset-password'
    case 'CONFIRM_SIGN_IN_WITH_TOTP_CODE':
      return { kind: 'code', source: 'app', destination: undefined }
    case 'CONFIRM_SIGN_IN_WITH_EMAIL_CODE':
      return { kind: 'code', source: 'mail', destination: nextStep.codeDeliveryDetails?.destination }
    case 'CONFIRM_SIGN_IN_WITH_SMS_CODE':
      return { kind: 'code', source: 'text-message', destination: nextStep.codeDeliveryDetails?.destination }
    case 'CONTINUE_SIGN_IN_WITH_MFA_SELECTION':
      return { kind: 'choice', sources: (nextStep.allowedMFATypes ?? []).map((type) => SOURCES[type]) }
    case 'CONTINUE_SIGN_IN_WITH_MFA_SETUP_SELECTION':
      return { kind: 'set-up-choice', sources: (nextStep.allowedMFATypes ?? []).map((type) => SOURCES[type]) }
    case 'CONTINUE_SIGN_IN_WITH_TOTP_SETUP': {
      const setup = nextStep.totpSetupDetails
      return { kind: 'set-up-app', secret: setup.sharedSecret, uriFor: (...names) => setup.getSetupUri(...names).href }
    }
    case 'CONTINUE_SIGN_IN_WITH_EMAIL_SETUP':
      return { kind: 'set-up-mail' }
    case 'CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION': {
      const factors = (nextStep.availableChallenges ?? []).flatMap((name) => (isFactor(name) ? [FACTORS[name]] : []))
      return { kind: 'first-factor', factors: [...new Set(factors)] }
    }
    case 'CONFIRM_SIGN_IN_WITH_PASSWORD':
      return { kind: 'password' }
    case 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED':
      return { kind: 'new-password' }
    case 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE': {
      const { question, previousAnswer } = nextStep.additionalInfo ?? {}
      return { kind: 'question', question, previousAnswer }
    }
  }
}

/** Signs in with SRP: the password does not leave the browser. Rejects with Amplify's error. */
export async function signIn(login: { email: string; password: string }): Promise<SignInStep> {
  const authFlowType = features().customChallenges ? 'CUSTOM_WITH_SRP' : 'USER_SRP_AUTH'
  return stepOf(await amplifySignIn({ username: login.email, password: login.password, options: { authFlowType } }))
}

/** Signs in whom the external provider has vouched for: the ticket stands for a password, once. */
export async function signInWithTicket(username: string, ticket: string): Promise<SignInStep> {
  return stepOf(await amplifySignIn({ username, password: ticket, options: { authFlowType: 'USER_PASSWORD_AUTH' } }))
}

/** Signs in with a passkey; where the account has none, the user chooses another way. */
export async function signInWithPasskey(email: string): Promise<SignInStep> {
  const options = { authFlowType: 'USER_AUTH', preferredChallenge: 'WEB_AUTHN' } as const
  return stepOf(await amplifySignIn({ username: email, options }))
}

/** Leaves for the pool's own sign-in pages; whoever is done there comes back to the login screen (hosted-return.ts). */
export async function goToHostedPages(): Promise<void> {
  await signInWithRedirect()
}

/** Answers what a sign-in in progress asks for: a code, a password, the name of a choice, words. */
export async function answerChallenge(answer: string): Promise<SignInStep> {
  return stepOf(await confirmSignIn({ challengeResponse: answer }))
}

/** Makes an account whose username is the name. It is `confirmed` at once only where the pool wants no code. */
export async function signUp(person: {
  email: string
  name: string
  password: string
}): Promise<'code-sent' | 'confirmed'> {
  const { isSignUpComplete } = await amplifySignUp({
    username: person.name.trim(),
    password: person.password,
    options: { userAttributes: { email: person.email } },
  })
  return isSignUpComplete ? 'confirmed' : 'code-sent'
}

/** Confirms an account by its username; by its e-mail where the name is not known. */
export async function confirmAccount(username: string, code: string): Promise<void> {
  await confirmSignUp({ username, confirmationCode: code })
}

export async function resendCode(username: string): Promise<void> {
  await resendSignUpCode({ username })
}

/** Has a reset code sent; the answer does not tell whether the account exists. */
export async function sendResetCode(email: string): Promise<void> {
  await resetPassword({ username: email })
}

export async function resetWithCode(reset: { email: string; code: string; newPassword: string }): Promise<void> {
  await confirmResetPassword({
    username: reset.email,
    confirmationCode: reset.code,
    newPassword: reset.newPassword,
  })
}

/** Changes the password of the signed-in user. The service ends every other session of theirs. */
export async function changePassword(change: { currentPassword: string; newPassword: string }): Promise<void> {
  await updatePassword({ oldPassword: change.currentPassword, newPassword: change.newPassword })
}
