import { recordEvent } from '../../audit/record-event.ts'
import { failMfa, passMfa, refuseLockedMfa } from '../../limits/lockout.ts'
import { isRecoveryCodeShaped, useRecoveryCode } from '../../mfa/recovery-codes.ts'
import { checkTotp } from '../../mfa/totp-secret.ts'
import type { Db, UserRow } from '../../tables.ts'
import { CognitoError } from '../../wire/cognito-error.ts'
import { refusals } from '../../wire/refusals.ts'
import { advance } from '../advance.ts'
import { isStillAsked } from '../offered-factors.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'
import type { EventPorts, Pool } from '../../base/ports.ts'

/** The code of the authenticator app, or a recovery code in its place (identity.md 2.6, 2.11). */
export const answerSoftwareToken: Answer = async (pool, answer) => {
  const code = requiredResponse(answer, 'SOFTWARE_TOKEN_MFA_CODE').trim()
  return await answerInSession(pool, answer, 'SOFTWARE_TOKEN_MFA', async (trx, { session, user }) => {
    if (!user || !(await isStillAsked(trx, user, session, 'SOFTWARE_TOKEN_MFA'))) return refusals.invalidSession()
    const slate = { sub: user.sub, of: 'mfa' } as const
    const locked = await refuseLockedMfa(pool, trx, slate)
    if (locked) return locked
    const refusal = await refuseCode(pool, trx, user, code)
    if (refusal) return await failMfa(pool, trx, slate, refusal)
    await passMfa(pool, trx, slate)
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
