import { z } from 'zod'

import { recordAttempt, recordEvent } from '../audit/record-event.ts'
import { removeLockout } from '../limits/lockout-store.ts'
import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { revokeSessionsOf } from '../tokens/session-store.ts'
import { resolveResettable } from '../users/account.ts'
import { checkCode, burnCode } from '../users/code.ts'
import { checkPasswordPolicy } from '../users/password-policy.ts'
import { passwordColumns } from '../users/password-verifier.ts'
import { resetPassword } from '../users/user-store.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool } from '../base/ports.ts'

type Ports = EventPorts & Pick<Pool, 'database' | 'endedSessions' | 'id' | 'keyring' | 'name'>

const ConfirmForgotPassword = z.object({
  ClientId: field.clientId,
  Username: field.username,
  ConfirmationCode: field.code,
  Password: field.password,
})

const PURPOSE = 'reset'

/** Sets a new password with the mailed code, ends every session and lifts a lockout (identity.md 2.9). */
export const confirmForgotPassword = operation(ConfirmForgotPassword, async (pool: Ports, input) => {
  checkPasswordPolicy(input.Password)
  const { sub, user } = await resolveResettable(pool, input.Username)
  const columns = passwordColumns(pool, sub, input.Password)
  const ended = await decide(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'ConfirmForgotPassword', sub)
    if (refusal) return refusal
    const verdict = await checkCode(pool, trx, { sub, purpose: PURPOSE, code: input.ConfirmationCode })
    if (verdict !== 'right') await recordAttempt(pool, trx, sub, 'wrong-code')
    if (verdict === 'none' || verdict === 'spent') return refusals.expiredCode()
    if (verdict === 'wrong' || !user) return refusals.codeMismatch()
    const now = pool.clock.now().toISOString()
    await burnCode(pool, trx, sub, PURPOSE)
    await resetPassword(trx, sub, columns, now)
    await removeLockout(trx, sub)
    await recordEvent(pool, trx, user, 'password-reset')
    return await revokeSessionsOf(trx, sub, { now })
  })
  pool.endedSessions.add(ended)
  pool.mail.wake()
  return {}
})
