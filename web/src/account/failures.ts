import { features } from '#web/config.ts'
import { serverMessage } from '#web/i18n/server-message.ts'
import { type TextKey, useTranslation } from '#web/i18n/texts.ts'

/** The failure of an action of the identity service, with its message if it gave one. */
export type IdentityFailure = { code: string; message: string }

/** Errors of Amplify have one of these fields. Errors of the browser and of our code do not. */
function isFromAmplify(error: unknown): error is Error {
  return error instanceof Error && ('underlyingError' in error || 'recoverySuggestion' in error || 'metadata' in error)
}

/**
 * Reads code and message of an Amplify error. For other errors it gives UnknownError and the fallback, because their
 * messages are not for users.
 */
export function identityFailure(error: unknown, fallback: string): IdentityFailure {
  if (!isFromAmplify(error)) return { code: 'UnknownError', message: fallback }
  const { name, message } = error
  return {
    code: name === '' || name === 'Error' ? 'UnknownError' : name,
    message: message.trim() === '' ? fallback : message,
  }
}

/** An input that the identity service refused. Each form maps it to one of its fields. */
export type RefusedInput = 'name' | 'email' | 'password' | 'currentPassword' | 'code'

type Refusal = {
  about?: RefusedInput
  /** A text for the user. Without one the field is only marked. */
  text?: TextKey<'auth'>
  /** The message of the service is shown as well, in its usual place. */
  keepsMessage?: true
}

/** Parts of a message about a password, and the text to show instead. */
const PASSWORD_CLAUSES = [
  ['not long enough', 'refused.passwordTooShort'],
  ['uppercase', 'validation.password.uppercase'],
  ['lowercase', 'refused.passwordLowercase'],
  ['numeric', 'validation.password.number'],
  ['symbol', 'refused.passwordSymbol'],
] as const

/** The names of inputs in messages: "Value at 'username' failed to satisfy constraint". */
const INPUTS: Readonly<Record<string, RefusedInput>> = {
  username: 'name',
  password: 'password',
  proposedPassword: 'password',
  previousPassword: 'currentPassword',
  confirmationCode: 'code',
  userCode: 'code',
  userAttributes: 'email',
}

const CONSTRAINTS = /at '(\w+)[\w.]*' failed to satisfy constraint: Member must ([^;]+)/gu

const FIXED: Readonly<Record<string, Refusal>> = {
  'Incorrect username or password.': { about: 'currentPassword', text: 'refused.currentPassword', keepsMessage: true },
  'Password attempts exceeded': { text: 'refused.lockedOut' },
  'User is disabled.': { text: 'refused.disabled' },
  'User is already confirmed.': { text: 'refused.alreadyVerified' },
  'User cannot be confirmed. Current status is CONFIRMED': { text: 'refused.alreadyVerified' },
  'Code mismatch and fail enable Software Token MFA': { text: 'refused.appCode' },
  'SignUp is not permitted for this user pool': { text: 'signup.closed' },
  'SignUp is permitted only with an invitation that is valid': { text: 'refused.notInvited' },
  'Invalid email address format.': { about: 'email', text: 'validation.email' },
}

const BROKEN_SERVICE = new Set([
  'InternalErrorException',
  'InvalidLambdaResponseException',
  'InvalidUserPoolConfigurationException',
  'ResourceNotFoundException',
  'SerializationException',
  'UnexpectedLambdaException',
  'UnknownOperationException',
])

/** Translates a refusal for the user: one entry for each wrong input, none if the message can be shown as it is. */
export function readRefusals({ code, message }: IdentityFailure): Refusal[] {
  const fixed = FIXED[message]
  if (fixed !== undefined) return [fixed]
  if (BROKEN_SERVICE.has(code)) return [{ text: 'common:errors.server' }]
  switch (code) {
    case 'InvalidPasswordException': {
      const [, text = 'refused.password'] = PASSWORD_CLAUSES.find(([clause]) => message.includes(clause)) ?? []
      return [{ about: 'password', text }]
    }
    case 'PasswordHistoryPolicyViolationException':
      return [{ about: 'password', text: 'refused.passwordUsed' }]
    case 'UsernameExistsException':
      // A pool with e-mail sign-in says this about the address.
      return isTakenEmail({ code, message }) ? [] : [{ about: 'name', text: 'refused.nameTaken', keepsMessage: true }]
    case 'InvalidParameterException':
      return readParameters(message)
    case 'NotAuthorizedException':
      return message.includes('Access Token') ? [{ text: 'session.expired' }] : []
    default:
      return []
  }
}

/** Whether a refusal says that an account has this address already. */
export function isTakenEmail({ code, message }: IdentityFailure): boolean {
  return code === 'AliasExistsException' || (code === 'UsernameExistsException' && /e-?mail/iu.test(message))
}

function readParameters(message: string): Refusal[] {
  if (message.startsWith('Username cannot be of email format')) return [{ about: 'name', text: 'refused.nameIsEmail' }]
  if (message.startsWith('Attributes did not conform to the schema: email')) {
    return [{ about: 'email', text: 'validation.email' }]
  }
  const constraints = [...message.matchAll(CONSTRAINTS)].flatMap(([, member = '', rule = '']) => {
    const about = INPUTS[member]
    return about === undefined ? [] : [{ about, text: constraintText(about, rule) }]
  })
  if (constraints.length > 0) return constraints
  const isTechnical = /validation errors? detected|^Missing required parameter|zero character/u.test(message)
  return isTechnical ? [{ text: 'common:errors.validation' }] : []
}

function constraintText(about: RefusedInput, rule: string): NonNullable<Refusal['text']> {
  const isTooLong = rule.includes('less than or equal')
  const isTooShort = rule.includes('greater than or equal') || rule.includes('not be null')
  switch (about) {
    case 'name':
      if (isTooShort) return 'validation.name.required'
      if (isTooLong) return 'refused.nameTooLong'
      return features().accountService ? 'refused.nameCharacters' : 'refused.nameSpaces'
    case 'email':
      return 'validation.email'
    case 'password':
      if (isTooShort) return 'refused.passwordTooShort'
      return isTooLong ? 'refused.passwordTooLong' : 'refused.passwordSpaces'
    case 'currentPassword':
      return 'refused.currentPassword'
    case 'code':
      return 'refused.code'
  }
}

/** The text for a failed action: the message of the service, unless only a developer would understand it. */
export function useIdentityMessage(): (error: unknown, fallback: TextKey<'auth'>) => string {
  const { t } = useTranslation('auth')
  return (error, fallback) => {
    const failure = identityFailure(error, t(fallback))
    const [refusal] = readRefusals(failure)
    if (refusal?.text !== undefined && refusal.keepsMessage !== true) return t(refusal.text)
    return serverMessage(failure.message, t(fallback))
  }
}

/** The texts for Amplify's passkey failures. */
const TEXTS = {
  PasskeyNotSupported: 'passkeyErrors.notSupported',
  PasskeyAlreadyExists: 'passkeyErrors.exists',
  PasskeyRegistrationCanceled: 'passkeyErrors.notMade',
  PasskeyAuthenticationCanceled: 'passkeyErrors.notUsed',
  PasskeyOperationAborted: 'passkeyErrors.aborted',
  RelyingPartyMismatch: 'passkeyErrors.otherAddress',
  PasskeyRegistrationFailed: 'passkeyErrors.makingFailed',
  PasskeyRetrievalFailed: 'passkeyErrors.readingFailed',
  InvalidPasskeyRegistrationOptions: 'passkeyErrors.misconfigured',
  InvalidPasskeyAuthenticationOptions: 'passkeyErrors.misconfigured',
} as const

/** A user who changed their mind does not need to be warned. */
const CALLED_OFF = new Set(['PasskeyRegistrationCanceled', 'PasskeyAuthenticationCanceled', 'PasskeyOperationAborted'])

export type PasskeyFailure = { text: (typeof TEXTS)[keyof typeof TEXTS]; tone: 'info' | 'error' }

/** Why the browser gave no passkey, undefined for other failures. */
export function passkeyFailure(error: unknown): PasskeyFailure | undefined {
  if (!(error instanceof Error) || !isNamed(error.name)) return undefined
  return { text: TEXTS[error.name], tone: CALLED_OFF.has(error.name) ? 'info' : 'error' }
}

function isNamed(name: string): name is keyof typeof TEXTS {
  return Object.hasOwn(TEXTS, name)
}
