import { expect, test } from 'vitest'

import { brokenRules, CHANGE_PASSWORD_RULES, LOGIN_RULES, RESET_PASSWORD_RULES, SIGNUP_RULES } from './rules.ts'

const person = { email: 'ana@example.org', name: 'Ana', password: 'Passw0rd', confirmPassword: 'Passw0rd' }

test('a sign-up shows one error per field, in a fixed order', () => {
  const broken = brokenRules(SIGNUP_RULES, { email: 'ana', name: '  ', password: 'short', confirmPassword: '' })

  expect([...broken]).toEqual([
    ['name', 'validation.name.required'],
    ['password', 'validation.password.minLength'],
    ['confirmPassword', 'validation.passwordMatch'],
    ['email', 'validation.email'],
  ])
})

test('a complete sign-up breaks no rule', () => {
  expect(brokenRules(SIGNUP_RULES, person).size).toBe(0)
})

test.each([
  ['', 'minLength'],
  ['Passw0r', 'minLength'],
  ['alllower', 'uppercase'],
  ['passw0rd', 'uppercase'],
  ['Password', 'number'],
])('the password %j breaks the rule %s first', (password, fault) => {
  const broken = brokenRules(SIGNUP_RULES, { ...person, password, confirmPassword: password })

  expect([...broken]).toEqual([['password', `validation.password.${fault}`]])
})

test.each([
  'ana',
  'ana@example',
  '@example.org',
  'ana@.',
  'a na@example.org',
  'ana@exam ple.org',
  ' ana@example.org',
  '',
])('sign-up and sign-in reject the e-mail address %j', (email) => {
  expect(brokenRules(SIGNUP_RULES, { ...person, email }).get('email')).toBe('validation.email')
  expect(brokenRules(LOGIN_RULES, { email, password: 'x' }).get('email')).toBe('validation.email')
})

test('a sign-in accepts every password except an empty one', () => {
  expect([...brokenRules(LOGIN_RULES, { email: 'ana@example.org', password: '' })]).toEqual([
    ['password', 'validation.password.required'],
  ])
  expect(brokenRules(LOGIN_RULES, { email: 'ana@example.org', password: ' ' }).size).toBe(0)
})

test('a reset with two different passwords shows the error at the confirmation', () => {
  const broken = brokenRules(RESET_PASSWORD_RULES, {
    email: person.email,
    code: '123456',
    newPassword: 'Passw0rd',
    confirmPassword: 'Passw0rt',
  })

  expect([...broken]).toEqual([['confirmPassword', 'validation.passwordMatch']])
})

test('a password change shows its errors in a fixed order', () => {
  const broken = brokenRules(CHANGE_PASSWORD_RULES, {
    currentPassword: '',
    newPassword: 'abcdefgh',
    confirmPassword: 'x',
  })

  expect([...broken]).toEqual([
    ['currentPassword', 'validation.password.required'],
    ['newPassword', 'validation.password.uppercase'],
    ['confirmPassword', 'validation.passwordMatch'],
  ])
})
