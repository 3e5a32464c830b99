import type { ParseKeys } from 'i18next'

import { features } from './features.ts'
import type { IdentityFailure } from './identity-failure.ts'

/** What a user typed that the identity service did not take. Each form says which of its fields that is. */
export type RefusedInput = 'name' | 'email' | 'password' | 'currentPassword' | 'code'

export type Refusal = {
  about?: RefusedInput
  /** A sentence for the user. Without one the field is only marked. */
  text?: ParseKeys<['auth', 'common']>
  /** The message of the service is shown as well, in its usual place. */
  keepsMessage?: true
}

/** Parts of a message about a password, and what to say instead. */
const PASSWORD_CLAUSES = [
  ['not long enough', 'refused.passwordTooShort'],
  ['uppercase', 'validation.password.uppercase'],
  ['lowercase', 'refused.passwordLowercase'],
  ['numeric', 'validation.password.number'],
  ['symbol', 'refused.passwordSymbol'],
] as const

/** How the service calls what was typed: "Value at 'username' failed to satisfy constraint". */
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
  'Incorrect username or password.': { about: 'currentPassword', keepsMessage: true },
  'Password attempts exceeded': { text: 'refused.lockedOut' },
  'User is disabled.': { text: 'refused.disabled' },
  'User is already confirmed.': { text: 'refused.alreadyVerified' },
  'User cannot be confirmed. Current status is CONFIRMED': { text: 'refused.alreadyVerified' },
  'Code mismatch and fail enable Software Token MFA': { text: 'refused.appCode' },
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

/**
 * What a refusal means for the user, where the service's message alone does not say it: one entry for each input that
 * is wrong, none where the message can be shown as it is.
 */
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
      // A pool whose users sign in with an address alone says this of the address.
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
