import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, invalidParameter, refusals } from '../../base/errors/refusals.ts'
import { spendQuota } from '../../base/limits/user-limits.ts'
import type { EventPorts, Pool, SealPorts, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation } from '../../base/requests/operation.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import {
  isUsable,
  MFA_METHODS,
  mfaColumns,
  type MfaMethod,
  mfaPreferenceOf,
  refuseLastFactor,
  withMethod,
} from '../../parts/mfa/methods.ts'
import { removeRecoveryCodes } from '../../parts/mfa/mfa-store.ts'
import { beginTotp, confirmTotp } from '../../parts/mfa/totp.ts'
import { lockUser, setMfa } from '../../parts/users/user-store.ts'
import { readSetupSession } from '../../sign-in/second-factors.ts'
import { closeSession, spendAnswer } from '../../sign-in/session-store.ts'
import { makeSession, sealSession } from '../../sign-in/session.ts'
import { authorize, lockCaller } from '../../sign-in/signed-in.ts'

const AssociateSoftwareToken = z.object({ AccessToken: field.token.optional(), Session: field.session.optional() })

/**
 * Returns a new secret for an authenticator app, to a signed-in user or one who must set up a second factor. The
 * current secret stays valid until the new one is verified.
 */
export const associateSoftwareToken = operation(
  AssociateSoftwareToken,
  async (pool: VerifyPorts & SealPorts, input) => {
    if (input.AccessToken !== undefined) {
      const { user } = await authorize(pool, input.AccessToken)
      return { SecretCode: await begin(pool, user, refusals.unknownUser()) }
    }
    if (input.Session === undefined) throw refusals.missing('Session')
    const { session, user } = await readSetupSession(pool, pool.database.read, input.Session)
    const SecretCode = await begin(pool, user, refusals.invalidSession())
    return { SecretCode, Session: sealSession(pool, session) }
  },
)

/** Locks the user, so that a code that is checked concurrently proves its own secret. `gone`: if the user was removed. */
async function begin(
  pool: Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random'>,
  { sub }: Pick<UserRow, 'sub'>,
  gone: CognitoError,
): Promise<string> {
  return await commitOrRefuse(pool, async (trx) => {
    if (!(await lockUser(trx, sub))) return gone
    const refusal = await spendQuota(pool, trx, 'AssociateSoftwareToken', sub)
    return refusal ?? (await beginTotp(pool, trx, sub))
  })
}

const VerifySoftwareToken = z.object({
  AccessToken: field.token.optional(),
  Session: field.session.optional(),
  UserCode: field.userCode,
  FriendlyDeviceName: field.friendlyName.optional(),
})
type Input = z.output<typeof VerifySoftwareToken>

/**
 * Activates the secret with its first code. A signed-in user then enables the factor with SetUserMFAPreference; during
 * a sign-in that requires a second factor it is enabled at once.
 */
export const verifySoftwareToken = operation(
  VerifySoftwareToken,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'id' | 'keyring'>, input) => {
    if (input.AccessToken !== undefined) {
      const { user: caller } = await authorize(pool, input.AccessToken)
      await commitOrRefuse(pool, async (trx) => {
        const user = await lockCaller(trx, caller)
        const refusal = await verify(pool, trx, user.sub, input)
        // Otherwise the change is recorded when the factor is enabled.
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
  return await commitOrRefuse(pool, async (trx) => {
    const {
      session,
      user: { sub },
    } = await readSetupSession(pool, trx, text)
    if (!(await spendAnswer(trx, session))) return refusals.spentSession()
    const user = await lockUser(trx, sub)
    if (!user) return refusals.invalidSession()
    const refusal = await verify(pool, trx, user.sub, input)
    if (refusal) return refusal
    await closeSession(trx, session)
    await setMfa(trx, user.sub, mfaColumns(withMethod(mfaPreferenceOf(user), 'SOFTWARE_TOKEN_MFA')))
    await recordEvent(pool, trx, user, 'second-factor-on')
    return makeSession(pool, { ...session, proven: [...session.proven, 'mfa'] })
  })
}

/** Checks the first code of a locked user. */
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

const Settings = z.object({ Enabled: field.flag.optional(), PreferredMfa: field.flag.optional() })

const SetUserMfaPreference = z.object({
  AccessToken: field.token,
  SoftwareTokenMfaSettings: Settings.optional(),
  EmailMfaSettings: Settings.optional(),
  SMSMfaSettings: Settings.optional(),
})

/** Enables and disables second factors and sets the preferred one. */
export const setUserMfaPreference = operation(
  SetUserMfaPreference,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'mfa'>, input) => {
    const { user: caller } = await authorize(pool, input.AccessToken)
    const changes: MfaChanges = {
      SOFTWARE_TOKEN_MFA: input.SoftwareTokenMfaSettings,
      EMAIL_OTP: input.EmailMfaSettings,
      SMS_MFA: input.SMSMfaSettings,
    }
    await commitOrRefuse(pool, async (trx) => await changeMfa(pool, trx, await lockCaller(trx, caller), changes))
    pool.mail.wake()
    return {}
  },
)

const SetUserSettings = z.object({
  AccessToken: field.token,
  MFAOptions: z.array(z.object({ DeliveryMedium: z.string().optional(), AttributeName: z.string().optional() })),
})

/** The older operation to enable (a list with one entry) or disable (an empty one) codes by text message. */
export const setUserSettings = operation(
  SetUserSettings,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'mfa'>, input) => {
    const { user: caller } = await authorize(pool, input.AccessToken)
    const changes = { SMS_MFA: { Enabled: input.MFAOptions.some((option) => option.DeliveryMedium === 'SMS') } }
    await commitOrRefuse(pool, async (trx) => await changeMfa(pool, trx, await lockCaller(trx, caller), changes))
    pool.mail.wake()
    return {}
  },
)

type MfaChange = { Enabled?: boolean | undefined; PreferredMfa?: boolean | undefined }
type MfaChanges = Partial<Record<MfaMethod, MfaChange | undefined>>

const NOT_READY: Readonly<Record<MfaMethod, string>> = {
  SOFTWARE_TOKEN_MFA: 'User has not verified software token mfa',
  EMAIL_OTP: 'User does not have delivery config set to turn on EMAIL_OTP',
  SMS_MFA: 'User does not have delivery config set to turn on SMS_MFA',
}

/** Enables and disables second factors of a locked user; others stay unchanged. The caller wakes the mail queue. */
async function changeMfa(
  pool: EventPorts & Pick<Pool, 'mfa'>,
  trx: Db,
  user: UserRow,
  changes: MfaChanges,
): Promise<CognitoError | undefined> {
  const { sub } = user
  const before = mfaPreferenceOf(user)
  const methods = MFA_METHODS.filter((method) => changes[method]?.Enabled ?? before.methods.includes(method))
  const added = methods.filter((method) => !before.methods.includes(method))
  if (added.length > 0 && pool.mfa === 'off') return invalidParameter('User pool does not have MFA enabled.')
  for (const method of added) {
    if (!(await isUsable(trx, user, method))) return invalidParameter(NOT_READY[method])
  }
  const last = refuseLastFactor(pool, before.methods, methods)
  if (last) return last
  const wanted = MFA_METHODS.filter((method) => changes[method]?.PreferredMfa === true)
  if (wanted.length > 1) return invalidParameter('Only one MFA method can be preferred.')
  if (wanted.some((method) => !methods.includes(method))) {
    return invalidParameter('The preferred MFA method must be enabled.')
  }
  const given = before.preferred
  const kept = given !== undefined && changes[given]?.PreferredMfa !== false ? given : undefined
  const removed = before.methods.filter((method) => !methods.includes(method))
  if (added.length > 0) await recordEvent(pool, trx, user, 'second-factor-on')
  if (removed.length > 0) await recordEvent(pool, trx, user, 'second-factor-off')
  await setMfa(trx, sub, mfaColumns({ methods, preferred: wanted[0] ?? kept }))
  // Recovery codes replace the app: without it they are useless, and must not work for an app set up later.
  if (!methods.includes('SOFTWARE_TOKEN_MFA')) await removeRecoveryCodes(trx, sub)
  return undefined
}
