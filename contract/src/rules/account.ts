import { PASSWORD_MIN_LENGTH } from '../base/limits.ts'

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/u

/** Text, an at sign, text, a dot, text; no spaces. */
export function isEmail(value: string): boolean {
  return EMAIL.test(value)
}

const MAIL_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]+@(?:[^\s@<>()[\]\\,;:"\p{C}.]+\.)+(?!\d+$)[^\s@<>()[\]\\,;:"\p{C}.]+$/u

/** An address that mail can be sent to: no name or quotes around it, and a domain that is not the address of a machine. */
export function isMailAddress(value: string): boolean {
  return MAIL_ADDRESS.test(value)
}

/** Mail addresses with the same key reach the same mailbox: case and what follows a plus sign do not count. */
export function mailboxKey(address: string): string {
  return usernameKey(address).replace(/^([^+@]+)\+[^@]*@/u, '$1@')
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
