import { recordEvent } from '../../audit/record-event.ts'
import { failMfa, passMfa, refuseLockedMfa } from '../../limits/lockout.ts'
import { mfaColumns, mfaPreferenceOf, withMethod } from '../../mfa/methods.ts'
import { signInPurpose } from '../../mfa/sign-in-code.ts'
import type { Db, UserRow } from '../../tables.ts'
import { burnCode, checkCode } from '../../users/code.ts'
import { setMfa } from '../../users/user-store.ts'
import { CognitoError } from '../../wire/cognito-error.ts'
import { refusals } from '../../wire/refusals.ts'
import { advance } from '../advance.ts'
import { isStillAsked, maySetUp } from '../offered-factors.ts'
import type { Factor, Session } from '../session.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'
import type { EventPorts } from '../../base/ports.ts'

const CODES = {
  EMAIL_OTP: { response: 'EMAIL_OTP_CODE', medium: 'EMAIL', factor: 'email' },
  SMS_MFA: { response: 'SMS_MFA_CODE', medium: 'SMS', factor: 'sms' },
  SMS_OTP: { response: 'SMS_OTP_CODE', medium: 'SMS', factor: 'sms' },
} as const

/** In the data of a session: this code also switches e-mail codes on as second factor. */
export const SETS_UP = 'setsUp'

/**
 * A code that was mailed or texted, as first or as second factor. For an unknown name one is kept that nobody got, so
 * that a guess is as wrong there as anywhere.
 */
export const answerCode =
  (at: keyof typeof CODES): Answer =>
  async (pool, answer) => {
    const { response, medium, factor } = CODES[at]
    const code = requiredResponse(answer, response).trim()
    return await answerInSession(pool, answer, at, async (trx, { session, user }) => {
      const { sub } = session
      const isFirst = session.proven.length === 0
      if (user && !isFirst && !(await isInOrder(trx, user, session))) return refusals.invalidSession()
      const purpose = signInPurpose({ medium, isFirst })
      const slate = { sub, of: isFirst ? 'first' : 'mfa' } as const
      const locked = await refuseLockedMfa(pool, trx, slate)
      if (locked) return locked
      const verdict = await checkCode(pool, trx, { sub, purpose, code })
      if (verdict !== 'right' || !user) {
        const mismatch = new CognitoError('CodeMismatchException', 'Invalid code or auth state for the user.')
        return await failMfa(pool, trx, slate, mismatch)
      }
      await burnCode(pool, trx, sub, purpose)
      await passMfa(pool, trx, slate)
      await setUp(pool, trx, session, user)
      return await advance(pool, trx, user, { ...session, proven: nowProven(session, factor) })
    })
  }

/** Whether a second factor is still the one to give, or to set up. */
async function isInOrder(trx: Db, user: UserRow, session: Session): Promise<boolean> {
  if (session.data?.[SETS_UP] !== undefined) return await maySetUp(trx, user)
  return await isStillAsked(trx, user, session, session.at === 'EMAIL_OTP' ? 'EMAIL_OTP' : 'SMS_MFA')
}

/** The first thing that is proven is the first factor; what comes after it is a second one. */
function nowProven({ proven }: Session, factor: Factor): Factor[] {
  return proven.length === 0 ? [factor] : [...proven, 'mfa']
}

async function setUp(pool: EventPorts, trx: Db, session: Session, user: UserRow): Promise<void> {
  if (session.data?.[SETS_UP] !== 'EMAIL_OTP') return
  const before = mfaPreferenceOf(user)
  if (!before.methods.includes('EMAIL_OTP')) await recordEvent(pool, trx, user, 'second-factor-on')
  await setMfa(trx, user.sub, mfaColumns(withMethod(before, 'EMAIL_OTP')))
}
