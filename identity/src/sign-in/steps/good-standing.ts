import { refusals } from '../../wire/refusals.ts'
import type { Step } from '../step.ts'

/** Who may not sign in is told so, but only after proving to be that user (identity.md 2.5). */
export const requireGoodStanding: Step = async (_pool, _trx, user) => {
  if (user.enabled === 0) return refusals.disabled()
  if (user.status === 'UNCONFIRMED') return refusals.notConfirmed()
  if (user.status === 'RESET_REQUIRED') return refusals.resetRequired()
  return await Promise.resolve(undefined)
}
