import { afterEach, expect, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'

import { isTakenEmail, readRefusals } from './failures.ts'

const given = features()
afterEach(() => setFeatures(given))

const constraint = (member: string, rule: string) =>
  `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must ${rule}`
const PATTERN = String.raw`satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+`

test.each([
  ['InvalidPasswordException', 'Password did not conform with policy: Password not long enough', 'passwordTooShort'],
  [
    'InvalidPasswordException',
    'Password did not conform with policy: Password must have lowercase characters',
    'passwordLowercase',
  ],
  [
    'InvalidPasswordException',
    'Password did not conform with policy: Password must have symbol characters',
    'passwordSymbol',
  ],
  ['InvalidPasswordException', 'Something new', 'password'],
  ['PasswordHistoryPolicyViolationException', 'Password has previously been used', 'passwordUsed'],
  ['InvalidParameterException', constraint('password', PATTERN), 'passwordSpaces'],
  ['InvalidParameterException', constraint('proposedPassword', PATTERN), 'passwordSpaces'],
  ['InvalidParameterException', constraint('password', 'have length less than or equal to 256'), 'passwordTooLong'],
])('%s "%s" is assigned to the new password with the text %s', (code, message, key) => {
  expect(readRefusals({ code, message })).toEqual([{ about: 'password', text: `refused.${key}` }])
})

test.each([
  ['uppercase', 'validation.password.uppercase'],
  ['numeric', 'validation.password.number'],
])('a password without %s characters gets the text of the sign-up form', (kind, text) => {
  const message = `Password did not conform with policy: Password must have ${kind} characters`

  expect(readRefusals({ code: 'InvalidPasswordException', message })).toEqual([{ about: 'password', text }])
})

test.each([
  [true, 'refused.nameCharacters'],
  [false, 'refused.nameSpaces'],
])('a refused name shows the rule of its user pool (built-in: %s)', (accountService, text) => {
  setFeatures({ ...given, accountService })

  const refusal = { code: 'InvalidParameterException', message: constraint('username', PATTERN) }
  expect(readRefusals(refusal)).toEqual([{ about: 'name', text }])
})

test('a refusal of two inputs shows each error at its own field', () => {
  const message = `2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must have length less than or equal to 128; Value at 'userAttributes.1.member.value' failed to satisfy constraint: Member must have length less than or equal to 2048`

  expect(readRefusals({ code: 'InvalidParameterException', message })).toEqual([
    { about: 'name', text: 'refused.nameTooLong' },
    { about: 'email', text: 'validation.email' },
  ])
})

test.each([
  [
    'InvalidParameterException',
    'Username cannot be of email format, since user pool is configured for email alias.',
    { about: 'name', text: 'refused.nameIsEmail' },
  ],
  ['InvalidParameterException', 'Invalid email address format.', { about: 'email', text: 'validation.email' }],
  [
    'InvalidParameterException',
    constraint('previousPassword', PATTERN),
    { about: 'currentPassword', text: 'refused.currentPassword' },
  ],
  ['InvalidParameterException', constraint('confirmationCode', PATTERN), { about: 'code', text: 'refused.code' }],
  ['InvalidParameterException', constraint('clientId', PATTERN), { text: 'common:errors.validation' }],
  ['InvalidParameterException', 'A text holds a zero character.', { text: 'common:errors.validation' }],
  ['ResourceNotFoundException', 'User pool client abc does not exist.', { text: 'common:errors.server' }],
  ['EnableSoftwareTokenMFAException', 'Code mismatch and fail enable Software Token MFA', { text: 'refused.appCode' }],
  ['NotAuthorizedException', 'Password attempts exceeded', { text: 'refused.lockedOut' }],
  ['NotAuthorizedException', 'Access Token has been revoked', { text: 'session.expired' }],
  [
    'NotAuthorizedException',
    'User cannot be confirmed. Current status is CONFIRMED',
    { text: 'refused.alreadyVerified' },
  ],
])('%s "%s" has its own text', (code, message, refusal) => {
  expect(readRefusals({ code, message })).toEqual([refusal])
})

const CURRENT = { about: 'currentPassword', text: 'refused.currentPassword', keepsMessage: true }

test.each([
  ['UsernameExistsException', 'User already exists', { about: 'name', text: 'refused.nameTaken', keepsMessage: true }],
  ['NotAuthorizedException', 'Incorrect username or password.', CURRENT],
])('%s "%s" marks its field and keeps the message in its usual place', (code, message, refusal) => {
  expect(readRefusals({ code, message })).toEqual([refusal])
})

test.each([
  ['CodeMismatchException', 'Invalid verification code provided, please try again.'],
  ['LimitExceededException', 'Attempt limit exceeded, please try after some time.'],
  ['AliasExistsException', 'An account with the email already exists.'],
  ['NetworkError', 'A network error has occurred.'],
])('%s "%s" is shown unchanged', (code, message) => {
  expect(readRefusals({ code, message })).toEqual([])
})

test.each([
  ['AliasExistsException', 'An account with the email already exists.', true],
  ['UsernameExistsException', 'An account with the given email already exists.', true],
  ['UsernameExistsException', 'User already exists', false],
])('%s "%s" is recognised as a taken e-mail address: %s', (code, message, isTaken) => {
  expect(isTakenEmail({ code, message })).toBe(isTaken)
})
