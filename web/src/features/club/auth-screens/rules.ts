import { isEmail, passwordFault } from '@marquee/contract/rules/account'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'

import type { TextKey } from '#web/i18n/texts.ts'

export type AuthKey = TextKey<'auth'>

/** A rule: its field, its condition, and the text of its error. See docs/product/accounts.md. */
export type Rule<V> = { field: keyof V & string; holds: (values: V) => boolean; text: AuthKey }

export type LoginValues = { email: string; password: string }
export type SignupValues = { email: string; name: string; password: string; confirmPassword: string }
export type VerifyValues = { code: string }
export type ForgotPasswordValues = { email: string }
export type ResetPasswordValues = { email: string; code: string; newPassword: string; confirmPassword: string }
export type ChangePasswordValues = { currentPassword: string; newPassword: string; confirmPassword: string }

function passwordRules<F extends string>(field: F): Rule<Record<F, string>>[] {
  return (['minLength', 'uppercase', 'number'] as const).map((fault) => ({
    field,
    // Faults have an order, and an earlier one hides the later ones.
    holds: (values) => passwordFault(values[field]) !== fault,
    text: `validation.password.${fault}`,
  }))
}

const emailRule: Rule<{ email: string }> = {
  field: 'email',
  holds: ({ email }) => isEmail(email),
  text: 'validation.email',
}

const codeRule: Rule<{ code: string }> = {
  field: 'code',
  holds: ({ code }) => code.trim() !== '',
  text: 'validation.code',
}

export const SIGNUP_RULES: readonly Rule<SignupValues>[] = [
  { field: 'name', holds: ({ name }) => name.trim() !== '', text: 'validation.name.required' },
  ...passwordRules('password'),
  {
    field: 'confirmPassword',
    holds: ({ password, confirmPassword }) => password === confirmPassword,
    text: 'validation.passwordMatch',
  },
  emailRule,
]

export const LOGIN_RULES: readonly Rule<LoginValues>[] = [
  emailRule,
  { field: 'password', holds: ({ password }) => password !== '', text: 'validation.password.required' },
]

export const VERIFY_RULES: readonly Rule<VerifyValues>[] = [codeRule]

export const FORGOT_PASSWORD_RULES: readonly Rule<ForgotPasswordValues>[] = [emailRule]

const newPasswordsMatch: Rule<{ newPassword: string; confirmPassword: string }> = {
  field: 'confirmPassword',
  holds: ({ newPassword, confirmPassword }) => newPassword === confirmPassword,
  text: 'validation.passwordMatch',
}

/** The service checks the rules of the new password. */
export const RESET_PASSWORD_RULES: readonly Rule<ResetPasswordValues>[] = [
  codeRule,
  { field: 'newPassword', holds: ({ newPassword }) => newPassword !== '', text: 'validation.password.required' },
  newPasswordsMatch,
]

/** A password that replaces a temporary one. The rules are those of a change. */
export const NEW_PASSWORD_RULES: readonly Rule<{ newPassword: string; confirmPassword: string }>[] = [
  ...passwordRules('newPassword'),
  newPasswordsMatch,
]

export const PASSWORD_RULES: readonly Rule<{ password: string }>[] = [
  { field: 'password', holds: ({ password }) => password !== '', text: 'validation.password.required' },
]

export const ANSWER_RULES: readonly Rule<{ answer: string }>[] = [
  { field: 'answer', holds: ({ answer }) => answer.trim() !== '', text: 'validation.answer' },
]

export const CHANGE_PASSWORD_RULES: readonly Rule<ChangePasswordValues>[] = [
  {
    field: 'currentPassword',
    holds: ({ currentPassword }) => currentPassword !== '',
    text: 'validation.password.required',
  },
  ...passwordRules('newPassword'),
  newPasswordsMatch,
]

/** The first broken rule of each field, in the order of the rules. */
export function brokenRules<V>(rules: readonly Rule<V>[], values: V): Map<keyof V & string, AuthKey> {
  const broken = new Map<keyof V & string, AuthKey>()
  for (const { field, holds, text } of rules) {
    if (!broken.has(field) && !holds(values)) broken.set(field, text)
  }
  return broken
}

/** The rules as a resolver of react-hook-form. `textOf` translates. */
export function resolverOf<V extends FieldValues>(
  rules: readonly Rule<V>[],
  textOf: (key: AuthKey) => string,
): Resolver<V> {
  return (values) => {
    const broken = [...brokenRules(rules, values)]
    if (broken.length === 0) return { values, errors: {} }
    const errors = Object.fromEntries(broken.map(([field, key]) => [field, { type: 'rule', message: textOf(key) }]))
    // Object.fromEntries forgets that the keys are fields of V.
    return { values: {}, errors: errors as FieldErrors<V> }
  }
}
