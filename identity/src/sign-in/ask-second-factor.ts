import { codeParameters, sendSignInCode } from '../mfa/sign-in-code.ts'
import type { MfaMethod } from '../mfa/methods.ts'
import { findTotp } from '../mfa/totp-store.ts'
import type { Db, UserRow } from '../tables.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import type { Progress } from './session.ts'
import { challenge, type NextChallenge } from './step.ts'
import type { CodePorts, Pool } from '../base/ports.ts'

/** The challenge of one second factor; where it needs a code, the code is on its way. */
export async function askSecondFactor(
  pool: CodePorts & Pick<Pool, 'clientId' | 'id'>,
  trx: Db,
  user: UserRow,
  { progress, method, data }: { progress: Progress; method: MfaMethod; data?: Record<string, string> },
): Promise<CognitoError | NextChallenge> {
  if (method === 'SOFTWARE_TOKEN_MFA') {
    const name = (await findTotp(trx, user.sub, 'verified'))?.friendly_name
    return challenge(pool, user, progress, {
      name: method,
      parameters: typeof name === 'string' ? { FRIENDLY_DEVICE_NAME: name } : {},
    })
  }
  const medium = method === 'EMAIL_OTP' ? 'EMAIL' : 'SMS'
  const to = medium === 'EMAIL' ? user.email : user.phone_number
  if (to === null) return new CognitoError('MFAMethodNotFoundException', 'The user has no phone number.')
  const refusal = await sendSignInCode(pool, trx, { sub: user.sub, medium, to, isFirst: false })
  if (refusal) return refusal
  return challenge(pool, user, progress, {
    name: method,
    parameters: codeParameters(medium, to),
    ...(data && { data }),
  })
}
