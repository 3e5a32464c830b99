import type { UserRow } from '../tables.ts'

/** What the scopes let a tool know of a user, by OpenID Connect's names. */
export function claimsOf(user: UserRow, scopes: readonly string[]): Record<string, string | boolean> {
  return {
    ...(scopes.includes('profile') && { preferred_username: user.username }),
    ...(scopes.includes('email') && { email: user.email, email_verified: user.email_verified === 1 }),
    ...(scopes.includes('phone') &&
      user.phone_number !== null && { phone_number: user.phone_number, phone_number_verified: true }),
  }
}

/**
 * What stands where Cognito always has the username, which clients look for: the username if the person was asked for
 * it, else the identifier that every tool learns.
 */
export function usernameFor({ sub, username }: Pick<UserRow, 'sub' | 'username'>, scopes: readonly string[]): string {
  return scopes.includes('profile') ? username : sub
}
