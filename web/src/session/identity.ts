import {
  confirmResetPassword,
  confirmSignUp,
  resendSignUpCode,
  resetPassword,
  type SignInOutput,
  signIn as amplifySignIn,
  signUp as amplifySignUp,
  updatePassword,
} from 'aws-amplify/auth'

/** Where a sign-in goes on (spec section 4, "Sign-in challenge flow"); `other` needs a step that no screen serves yet. */
export type SignInStep = 'done' | 'confirm-sign-up' | 'reset-password' | 'other'

const STEPS: Record<SignInOutput['nextStep']['signInStep'], SignInStep> = {
  DONE: 'done',
  CONFIRM_SIGN_UP: 'confirm-sign-up',
  RESET_PASSWORD: 'reset-password',
  CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE: 'other',
  CONFIRM_SIGN_IN_WITH_EMAIL_CODE: 'other',
  CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED: 'other',
  CONFIRM_SIGN_IN_WITH_PASSWORD: 'other',
  CONFIRM_SIGN_IN_WITH_SMS_CODE: 'other',
  CONFIRM_SIGN_IN_WITH_TOTP_CODE: 'other',
  CONTINUE_SIGN_IN_WITH_EMAIL_SETUP: 'other',
  CONTINUE_SIGN_IN_WITH_FIRST_FACTOR_SELECTION: 'other',
  CONTINUE_SIGN_IN_WITH_MFA_SELECTION: 'other',
  CONTINUE_SIGN_IN_WITH_MFA_SETUP_SELECTION: 'other',
  CONTINUE_SIGN_IN_WITH_TOTP_SETUP: 'other',
}

/** Signs in with SRP: the password does not leave the browser. Rejects with Amplify's error. */
export async function signIn(login: { email: string; password: string }): Promise<SignInStep> {
  const { nextStep } = await amplifySignIn({ username: login.email, password: login.password })
  return STEPS[nextStep.signInStep]
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
