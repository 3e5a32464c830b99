import { CognitoError } from '../wire/cognito-error.ts'

const MIN_LENGTH = 8

/** The pool's policy: 8 characters, an uppercase letter, a digit; one clause at a time in Cognito's order and words. */
export function checkPasswordPolicy(password: string): void {
  const clause = brokenClause(password)
  if (clause === undefined) return
  throw new CognitoError('InvalidPasswordException', `Password did not conform with policy: ${clause}`)
}

function brokenClause(password: string): string | undefined {
  if (password.length < MIN_LENGTH) return 'Password not long enough'
  if (!/\p{Lu}/u.test(password)) return 'Password must have uppercase characters'
  if (!/\d/u.test(password)) return 'Password must have numeric characters'
  return undefined
}
