import { notAuthorized } from '../../wire/refusals.ts'
import { challenge, type Step } from '../step.ts'

/** Who has a temporary password must choose one of their own first (identity.md 2.6). */
export const requireNewPassword: Step = async (pool, _trx, user, progress) => {
  if (user.status !== 'FORCE_CHANGE_PASSWORD') return undefined
  if (user.temporary_until !== null && user.temporary_until <= pool.clock.now().toISOString()) {
    return notAuthorized('Temporary password has expired and must be reset by an administrator.')
  }
  const attributes = { email: user.email, email_verified: String(user.email_verified === 1) }
  return await Promise.resolve(
    challenge(pool, user, progress, {
      name: 'NEW_PASSWORD_REQUIRED',
      // Both are JSON inside a string: clients parse them once more.
      parameters: { requiredAttributes: '[]', userAttributes: JSON.stringify(attributes) },
    }),
  )
}
