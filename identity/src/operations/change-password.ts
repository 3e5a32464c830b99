import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { failPassword, isLockedOut, passPassword } from '../limits/lockout.ts'
import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import { revokeSessionsOf } from '../tokens/session-store.ts'
import { removeCode } from '../users/code-store.ts'
import { checkPasswordPolicy } from '../users/password-policy.ts'
import { isPasswordOf, passwordColumns } from '../users/password-verifier.ts'
import { changePassword as setPassword } from '../users/user-store.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'id' | 'keyring' | 'name'>

const ChangePassword = z.object({
  AccessToken: field.token,
  PreviousPassword: field.password.optional(),
  ProposedPassword: field.password,
})

/** Sets a new password for who knows the old one, and ends all sessions but this one (identity.md 2.9). */
export const changePassword = operation(ChangePassword, async (pool: Ports, input) => {
  const { user, session } = await authorize(pool, input.AccessToken)
  const { sub } = user
  if (input.PreviousPassword === undefined) throw refusals.missing('PreviousPassword')
  checkPasswordPolicy(input.ProposedPassword)
  await decide(pool, async (trx) => await spendQuota(pool, trx, 'ChangePassword', sub))
  if (await isLockedOut(pool, sub)) throw refusals.lockedOut()
  const isProven = isPasswordOf(pool, user, input.PreviousPassword)
  const columns = passwordColumns(pool, sub, input.ProposedPassword)
  const ended = await decide(pool, async (trx) => {
    if (!isProven) return await failPassword(pool, trx, sub)
    const refusal = await passPassword(pool, trx, sub)
    if (refusal) return refusal
    const now = pool.clock.now().toISOString()
    if (!(await setPassword(trx, user, columns, now))) return refusals.incorrectPassword()
    await removeCode(trx, { sub, purpose: 'reset' })
    await recordEvent(pool, trx, user, 'password-changed')
    return await revokeSessionsOf(trx, sub, { now, keep: session.origin_jti })
  })
  pool.endedSessions.add(ended)
  pool.mail.wake()
  return {}
})
