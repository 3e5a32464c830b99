import { PASSWORD_MIN_LENGTH } from '../limits.ts'

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/u

/** Text, an at sign, text, a dot, text; no spaces. */
export function isEmail(value: string): boolean {
  return EMAIL.test(value)
}

export type PasswordFault = 'minLength' | 'uppercase' | 'number'

/** The first rule that the password breaks. */
export function passwordFault(password: string): PasswordFault | undefined {
  if (password.length < PASSWORD_MIN_LENGTH) return 'minLength'
  if (!/\p{Lu}/u.test(password)) return 'uppercase'
  if (!/\d/u.test(password)) return 'number'
  return undefined
}

/** Usernames with the same key are equal. */
export function usernameKey(username: string): string {
  return username.trim().normalize('NFC').toLowerCase()
}

export function isSameUser(one: string, other: string): boolean {
  return usernameKey(one) === usernameKey(other)
}
