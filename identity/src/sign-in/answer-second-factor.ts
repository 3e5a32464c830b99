import { recordEvent } from '../base/audit/record-event.ts'

import { CognitoError, invalidParameter, refusals } from '../base/errors/refusals.ts'
import { failMfa, passMfa, refuseLockedMfa } from '../base/limits/user-limits.ts'
import { nameKey } from '../base/names.ts'
import type { EventPorts, Pool } from '../base/ports.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { signInPurpose } from '../parts/codes/code-delivery.ts'
import { burnCode, checkCode } from '../parts/codes/code.ts'
import { mfaColumns, mfaPreferenceOf, withMethod } from '../parts/mfa/methods.ts'
import { isRecoveryCodeShaped, useRecoveryCode } from '../parts/mfa/recovery-codes.ts'
import { checkTotp } from '../parts/mfa/totp.ts'
import { lockUser, setMfa } from '../parts/users/user-store.ts'
import { advance } from './advance.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'
import { askSecondFactor, isStillAsked, maySetUp, maySetUpMail, offeredFactors } from './second-factors.ts'
import type { Factor, Session } from './session.ts'

const CODES = {
  EMAIL_OTP: { response: 'EMAIL_OTP_CODE', medium: 'EMAIL', factor: 'email' },
  SMS_MFA: { response: 'SMS_MFA_CODE', medium: 'SMS', factor: 'sms' },
  SMS_OTP: { response: 'SMS_OTP_CODE', medium: 'SMS', factor: 'sms' },
} as const

/** In the data of a session: this code also switches e-mail codes on as second factor. */
const SETS_UP = 'setsUp'

/**
 * A code sent by mail or text message, as first or second factor. For an unknown name a code is stored but never sent,
 * so that a guess fails in the same way.
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
      const counter = { sub, of: isFirst ? 'first' : 'mfa' } as const
      // Locked before the code, as where codes are made, and before the count, so that concurrent answers are checked one
      // by one. `user` stays the one whose password the session began with.
      const current = await lockUser(trx, sub)
      const locked = await refuseLockedMfa(pool, trx, counter)
      if (locked) return locked
      const verdict = await checkCode(pool, trx, { sub, purpose, code })
      if (verdict !== 'right' || !user || !current) {
        const mismatch = new CognitoError('CodeMismatchException', 'Invalid code or auth state for the user.')
        return await failMfa(pool, trx, counter, mismatch)
      }
      const late = await passMfa(pool, trx, counter)
      if (late) return late
      await burnCode(pool, trx, sub, purpose)
      await setUp(pool, trx, session, current)
      return await advance(pool, trx, user, { ...session, proven: nowProven(session, factor) })
    })
  }

/** Whether this second factor is still required, or still to be set up. */
async function isInOrder(trx: Db, user: UserRow, session: Session): Promise<boolean> {
  if (session.data?.[SETS_UP] !== undefined) return await maySetUp(trx, user)
  return await isStillAsked(trx, user, session, session.at === 'EMAIL_OTP' ? 'EMAIL_OTP' : 'SMS_MFA')
}

/** The first proof is the first factor; later ones are second factors. */
function nowProven({ proven }: Session, factor: Factor): Factor[] {
  return proven.length === 0 ? [factor] : [...proven, 'mfa']
}

async function setUp(pool: EventPorts, trx: Db, session: Session, user: UserRow): Promise<void> {
  if (session.data?.[SETS_UP] !== 'EMAIL_OTP') return
  const before = mfaPreferenceOf(user)
  if (!before.methods.includes('EMAIL_OTP')) await recordEvent(pool, trx, user, 'second-factor-on')
  await setMfa(trx, user.sub, mfaColumns(withMethod(before, 'EMAIL_OTP')))
}

/** The code of the authenticator app, or a recovery code. */
export const answerSoftwareToken: Answer = async (pool, answer) => {
  const code = requiredResponse(answer, 'SOFTWARE_TOKEN_MFA_CODE').trim()
  return await answerInSession(pool, answer, 'SOFTWARE_TOKEN_MFA', async (trx, { session, user }) => {
    if (!user || !(await isStillAsked(trx, user, session, 'SOFTWARE_TOKEN_MFA'))) return refusals.invalidSession()
    const counter = { sub: user.sub, of: 'mfa' } as const
    await lockUser(trx, user.sub)
    const locked = await refuseLockedMfa(pool, trx, counter)
    if (locked) return locked
    const refusal = await refuseCode(pool, trx, user, code)
    if (refusal) return await failMfa(pool, trx, counter, refusal)
    const late = await passMfa(pool, trx, counter)
    if (late) return late
    return await advance(pool, trx, user, { ...session, proven: [...session.proven, 'mfa'] })
  })
}

async function refuseCode(
  pool: EventPorts & Pick<Pool, 'id' | 'keyring'>,
  trx: Db,
  user: UserRow,
  code: string,
): Promise<CognitoError | undefined> {
  if (isRecoveryCodeShaped(code)) {
    if (!(await useRecoveryCode(pool, trx, user.sub, code))) return mismatch()
    await recordEvent(pool, trx, user, 'recovery-code-used')
    return undefined
  }
  switch (await checkTotp(pool, trx, user.sub, code)) {
    case 'right':
      return undefined
    case 'replayed':
      return new CognitoError('ExpiredCodeException', 'Your software token has already been used once.')
    case 'none':
    case 'wrong':
      return mismatch()
  }
}

function mismatch(): CognitoError {
  return new CognitoError('CodeMismatchException', 'Invalid code received for user')
}

/** The choice between several second factors. */
export const answerMfaType: Answer = async (pool, answer) => {
  const wanted = requiredResponse(answer, 'ANSWER')
  return await answerInSession(pool, answer, 'SELECT_MFA_TYPE', async (trx, { session, user }) => {
    if (!user) return refusals.invalidSession()
    const offered = await offeredFactors(trx, user, session.proven)
    const method = offered.find((name) => name === wanted)
    if (method === undefined) {
      return new CognitoError('MFAMethodNotFoundException', 'The user has not set up this second factor.')
    }
    return await askSecondFactor(pool, trx, user, { progress: session, method })
  })
}

/**
 * Completes the setup of a second factor: with the session of VerifySoftwareToken, or by naming the account's own
 * address, which gets a code. Other addresses are refused: an attacker with only the password could redirect the codes.
 */
export const answerMfaSetup: Answer = async (pool, answer) =>
  await answerInSession(pool, answer, 'MFA_SETUP', async (trx, { session, user }) => {
    if (!user) return refusals.invalidSession()
    if (session.proven.includes('mfa')) return await advance(pool, trx, user, session)
    if (!(await maySetUp(trx, user))) return refusals.invalidSession()
    const email = answer.responses.get('EMAIL')
    if (email === undefined) return refusals.missing('EMAIL')
    if (!maySetUpMail(user, session)) {
      return invalidParameter('Codes by mail cannot be set up after a sign-in that began with one.')
    }
    if (nameKey(email) !== user.email_key) {
      return invalidParameter('The e-mail address must be the verified one of this account.')
    }
    const data = { [SETS_UP]: 'EMAIL_OTP' }
    return await askSecondFactor(pool, trx, user, { progress: session, method: 'EMAIL_OTP', data })
  })
