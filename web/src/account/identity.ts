import './amplify-account.ts'
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
import { language } from '#web/i18n/language.ts'

export type CodeSource = 'app' | 'mail' | 'text-message'
export type FirstFactor = 'password' | 'passkey' | 'mail' | 'text-message'

/** A custom challenge of the installation, and whether the previous answer was right. */
export type Question = { kind: 'question'; question: string | undefined; previousAnswer: string | undefined }

/** What a sign-in asks for. Each kind has its screen. */
export type Challenge =
  | { kind: 'code'; source: CodeSource; destination: string | undefined }
  | { kind: 'choice'; sources: readonly CodeSource[] }
  | { kind: 'set-up-choice'; sources: readonly CodeSource[] }
  | { kind: 'set-up-app'; secret: string; uriFor: (product: string, account: string) => string }
  | { kind: 'set-up-mail' }
  | {
      kind: 'first-factor'
      factors: readonly FirstFactor[]
      /** The user asked for a passkey. */
      isWithoutPasskey?: true
    }
  | { kind: 'password' }
  | { kind: 'new-password' }
  | Question

/** The next step of a sign-in. */
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
  const step = stepOf(
    await amplifySignIn({ username: login.email, password: login.password, options: { authFlowType } }),
  )
  if (step === 'confirm-sign-up') keepLogin(login)
  return step
}

/** Signs in a user of the external provider. The ticket works once. */
export async function signInWithTicket(username: string, ticket: string): Promise<SignInStep> {
  return stepOf(await amplifySignIn({ username, password: ticket, options: { authFlowType: 'USER_PASSWORD_AUTH' } }))
}

/**
 * Signs in with a passkey. Without one the user chooses another way. The service answers for an unknown address in the same
 * way, so the next step tells no stranger whether there is an account.
 */
export async function signInWithPasskey(email: string): Promise<SignInStep> {
  const options = { authFlowType: 'USER_AUTH', preferredChallenge: 'WEB_AUTHN' } as const
  const step = stepOf(await amplifySignIn({ username: email, options }))
  return typeof step === 'object' && step.kind === 'first-factor' ? { ...step, isWithoutPasskey: true } : step
}

const KEPT_LOGIN_MS = 3 * 60_000

/** The password of a sign-up or sign-in that waits for its account to be confirmed. Only the memory of this page has it. */
let keptLogin: { email: string; password: string; until: number } | undefined

/** Keeps a login until its account is confirmed. */
export function keepLogin({ email, password }: { email: string; password: string }): void {
  keptLogin = { email, password, until: performance.now() + KEPT_LOGIN_MS }
}

/** Signs in with the kept login. Undefined if this page has none for the address. */
export async function signInWithKeptLogin(email: string): Promise<SignInStep | undefined> {
  const login = keptLogin
  keptLogin = undefined
  if (login === undefined || login.email !== email || login.until < performance.now()) return undefined
  const step = await signIn(login)
  return step === 'confirm-sign-up' ? undefined : step
}

/** Leaves for the hosted sign-in pages of the pool, which lead back to the login screen (session/hosted-return.ts). */
export async function goToHostedPages(): Promise<void> {
  await signInWithRedirect()
}

/** Answers a challenge: with a code, a password, the name of a choice, or text. */
export async function answerChallenge(answer: string): Promise<SignInStep> {
  return stepOf(await confirmSignIn({ challengeResponse: answer }))
}

/** Creates an account with this username. It is `confirmed` at once if the pool wants no code. */
export async function signUp(person: {
  email: string
  name: string
  password: string
  /** Where the visitor came from, and goes after signing in. */
  redirect: string | undefined
}): Promise<'code-sent' | 'confirmed'> {
  const { isSignUpComplete } = await amplifySignUp({
    username: person.name.trim(),
    password: person.password,
    options: { userAttributes: { email: person.email }, ...metadataOf(person.redirect) },
  })
  keepLogin(person)
  return isSignUpComplete ? 'confirmed' : 'code-sent'
}

/** Confirms an account by its username, or by its e-mail if the username is unknown. */
export async function confirmAccount(username: string, code: string): Promise<void> {
  await confirmSignUp({ username, confirmationCode: code })
}

export async function resendCode(username: string, redirect: string | undefined): Promise<void> {
  await resendSignUpCode({ username, options: metadataOf(redirect) })
}

/**
 * The language of the mail. A mailed link carries `redirect` to another device, and a pool for invited users reads the
 * invitation in it.
 */
function metadataOf(redirect?: string) {
  return { clientMetadata: { language, ...(redirect !== undefined && { redirect }) } }
}

/** Sends a reset code. The answer does not reveal whether the account exists. */
export async function sendResetCode(email: string): Promise<void> {
  await resetPassword({ username: email, options: metadataOf() })
}

export async function resetWithCode(reset: { email: string; code: string; newPassword: string }): Promise<void> {
  await confirmResetPassword({
    username: reset.email,
    confirmationCode: reset.code,
    newPassword: reset.newPassword,
  })
}

/** Changes the password of the signed-in user. The service ends their other sessions. */
export async function changePassword(change: { currentPassword: string; newPassword: string }): Promise<void> {
  await updatePassword({ oldPassword: change.currentPassword, newPassword: change.newPassword })
}
