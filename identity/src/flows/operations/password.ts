import { z } from 'zod'

import { recordAttempt, recordEvent } from '../../base/audit/record-event.ts'
import { commitOrRefuse, refusals } from '../../base/errors/refusals.ts'
import { removeLockout } from '../../base/limits/limit-store.ts'
import { failPassword, isLockedOut, isOnlyAttempt, passPassword, spendQuota } from '../../base/limits/user-limits.ts'
import type { CodePorts, EventPorts, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation } from '../../base/requests/operation.ts'
import { deliveryTo, inLanguageOf, sendCode, simulatedDelivery } from '../../parts/codes/code-delivery.ts'
import { removeCode } from '../../parts/codes/code-store.ts'
import { burnCode, checkCode } from '../../parts/codes/code.ts'
import { mayReset, resolveResettable } from '../../parts/users/account.ts'
import { checkPasswordPolicy, isPasswordOf, passwordColumns } from '../../parts/users/password.ts'
import { changePassword as setPassword, lockUser, resetPassword } from '../../parts/users/user-store.ts'
import { endSessionsOf } from '../../sign-in/end-sessions.ts'
import { authorize } from '../../sign-in/signed-in.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'id' | 'keyring' | 'name' | 'onSessionsEnded'>

const ChangePassword = z.object({
  AccessToken: field.token,
  PreviousPassword: field.password.optional(),
  ProposedPassword: field.password,
})

/** Changes the password of a user who knows the old one, and ends all other sessions. */
export const changePassword = operation(ChangePassword, async (pool: Ports, input) => {
  const { user, session } = await authorize(pool, input.AccessToken)
  const { sub } = user
  if (input.PreviousPassword === undefined) throw refusals.missing('PreviousPassword')
  checkPasswordPolicy(input.ProposedPassword)
  await commitOrRefuse(pool, async (trx) => await spendQuota(pool, trx, 'ChangePassword', sub))
  if (await isLockedOut(pool, sub)) throw refusals.lockedOut()
  const isProven = isPasswordOf(pool, { sub: user.sub, user }, input.PreviousPassword)
  const columns = passwordColumns(pool, sub, input.ProposedPassword)
  const ended = await commitOrRefuse(pool, async (trx) => {
    if (!isProven) return await failPassword(pool, trx, sub)
    const refusal = await passPassword(pool, trx, sub)
    if (refusal) return refusal
    const now = pool.clock.now().toISOString()
    if (!(await setPassword(trx, user, columns, now))) return refusals.incorrectPassword()
    await removeCode(trx, { sub, purpose: 'reset' })
    await recordEvent(pool, trx, user, 'password-changed')
    return await endSessionsOf(pool, trx, sub, { now, keep: session.origin_jti })
  })
  pool.endedSessions.add(ended)
  pool.mail.wake()
  return {}
})

const ForgotPassword = z.object({
  ClientId: field.clientId,
  Username: field.username,
  ClientMetadata: field.parameters,
})

/**
 * Mails a code to the verified address. The old password stays valid until the code is used. An unknown name gets the
 * same reply for the same work.
 */
export const forgotPassword = operation(
  ForgotPassword,
  async (pool: CodePorts & Pick<Pool, 'database' | 'id'>, input) => {
    const account = await resolveResettable(pool, input.Username)
    const to = await commitOrRefuse(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'ForgotPassword', account.sub)
      if (refusal) return refusal
      const user = await lockUser(trx, account.sub)
      const email = user && mayReset(user) ? user.email : undefined
      // Strangers who ask for the codes of many users cannot keep one from the first code of the hour.
      const isOwed = async () => await isOnlyAttempt(pool, trx, 'ForgotPassword', account.sub)
      await sendCode(inLanguageOf(pool, input), trx, { sub: account.sub, purpose: 'reset', to: email, isOwed })
      return email
    })
    pool.mail.wake()
    return { CodeDeliveryDetails: to === undefined ? simulatedDelivery(pool, account) : deliveryTo(to) }
  },
)

const ConfirmForgotPassword = z.object({
  ClientId: field.clientId,
  Username: field.username,
  ConfirmationCode: field.code,
  Password: field.password,
})

const PURPOSE = 'reset'

/** Sets a new password with the mailed code, ends every session and lifts a lockout. */
export const confirmForgotPassword = operation(ConfirmForgotPassword, async (pool: Ports, input) => {
  checkPasswordPolicy(input.Password)
  const { sub, user } = await resolveResettable(pool, input.Username)
  const columns = passwordColumns(pool, sub, input.Password)
  const ended = await commitOrRefuse(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'ConfirmForgotPassword', sub)
    if (refusal) return refusal
    const current = await lockUser(trx, sub)
    const verdict = await checkCode(pool, trx, { sub, purpose: PURPOSE, code: input.ConfirmationCode })
    // Clients repeat a call whose reply was lost. It has the code and the password, and changes nothing.
    const isRepeat = verdict === 'spent' && user !== undefined && current !== undefined
    if (isRepeat && isPasswordOf(pool, { sub, user: current }, input.Password)) return []
    if (verdict !== 'right') await recordAttempt(pool, trx, sub, 'wrong-code')
    if (verdict === 'none' || verdict === 'spent') return refusals.expiredCode()
    if (verdict === 'wrong' || !user) return refusals.codeMismatch()
    const now = pool.clock.now().toISOString()
    await burnCode(pool, trx, sub, PURPOSE)
    await resetPassword(trx, sub, columns, now)
    await removeLockout(trx, sub)
    await recordEvent(pool, trx, user, 'password-reset')
    return await endSessionsOf(pool, trx, sub, { now })
  })
  pool.endedSessions.add(ended)
  pool.mail.wake()
  return {}
})
