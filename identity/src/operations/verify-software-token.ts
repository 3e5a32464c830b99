import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { spendQuota } from '../limits/quota.ts'
import { mfaColumns, mfaPreferenceOf, withMethod } from '../mfa/methods.ts'
import { confirmTotp } from '../mfa/totp-secret.ts'
import { decide } from '../pool/decide.ts'
import { closeSession, spendAnswer } from '../sign-in/session-store.ts'
import { makeSession } from '../sign-in/session.ts'
import { readSetupSession } from '../sign-in/setup-session.ts'
import type { Db } from '../tables.ts'
import { authorize } from '../tokens/authorize.ts'
import { setMfa } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool, SealPorts, VerifyPorts } from '../base/ports.ts'

const VerifySoftwareToken = z.object({
  AccessToken: field.token.optional(),
  Session: field.session.optional(),
  UserCode: field.userCode,
  FriendlyDeviceName: field.friendlyName.optional(),
})
type Input = z.output<typeof VerifySoftwareToken>

/**
 * Puts the secret into force with its first code. For a signed-in user the factor is then there to be switched on with
 * SetUserMFAPreference; for who must have one to sign in it is on at once (identity.md 2.11).
 */
export const verifySoftwareToken = operation(
  VerifySoftwareToken,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'id' | 'keyring'>, input) => {
    if (input.AccessToken !== undefined) {
      const { user } = await authorize(pool, input.AccessToken)
      await decide(pool, async (trx) => {
        const refusal = await verify(pool, trx, user.sub, input)
        // Otherwise the change is noted when the factor is switched on.
        if (!refusal && mfaPreferenceOf(user).methods.includes('SOFTWARE_TOKEN_MFA')) {
          await recordEvent(pool, trx, user, 'app-set-up')
        }
        return refusal
      })
      pool.mail.wake()
      return { Status: 'SUCCESS' }
    }
    if (input.Session === undefined) throw refusals.missing('Session')
    return { Status: 'SUCCESS', Session: await verifyInSession(pool, input, input.Session) }
  },
)

async function verifyInSession(
  pool: EventPorts & SealPorts & Pick<Pool, 'database'>,
  input: Input,
  text: string,
): Promise<string> {
  return await decide(pool, async (trx) => {
    const { session, user } = await readSetupSession(pool, trx, text)
    if (!(await spendAnswer(trx, session))) return refusals.spentSession()
    const refusal = await verify(pool, trx, user.sub, input)
    if (refusal) return refusal
    await closeSession(trx, session)
    await setMfa(trx, user.sub, mfaColumns(withMethod(mfaPreferenceOf(user), 'SOFTWARE_TOKEN_MFA')))
    await recordEvent(pool, trx, user, 'second-factor-on')
    return makeSession(pool, { ...session, proven: [...session.proven, 'mfa'] })
  })
}

async function verify(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring'>,
  trx: Db,
  sub: string,
  input: Input,
): Promise<CognitoError | undefined> {
  const refusal = await spendQuota(pool, trx, 'VerifySoftwareToken', sub)
  if (refusal) return refusal
  const given = { sub, code: input.UserCode, friendlyName: input.FriendlyDeviceName }
  switch (await confirmTotp(pool, trx, given)) {
    case 'right':
      return undefined
    case 'wrong':
      return new CognitoError('EnableSoftwareTokenMFAException', 'Code mismatch and fail enable Software Token MFA')
    case 'none':
      return new CognitoError('SoftwareTokenMFANotFoundException', 'Software token has not been associated.')
  }
}
