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
