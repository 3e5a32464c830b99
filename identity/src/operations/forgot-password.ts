import { z } from 'zod'

import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { resolveResettable } from '../users/account.ts'
import { deliveryTo, sendCode, simulatedDelivery } from '../users/code-delivery.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { CodePorts, Pool } from '../base/ports.ts'

const ForgotPassword = z.object({ ClientId: field.clientId, Username: field.username })

/**
 * Mails a code to the proven address (identity.md 2.9). The old password stays good until the code is used. A name that
 * is nobody's is answered alike, with as much work.
 */
export const forgotPassword = operation(
  ForgotPassword,
  async (pool: CodePorts & Pick<Pool, 'database' | 'id'>, input) => {
    const account = await resolveResettable(pool, input.Username)
    const to = account.user?.email
    await decide(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'ForgotPassword', account.sub)
      if (refusal) return refusal
      await sendCode(pool, trx, { sub: account.sub, purpose: 'reset', to })
      return undefined
    })
    pool.mail.wake()
    return { CodeDeliveryDetails: to === undefined ? simulatedDelivery(pool, account) : deliveryTo(to) }
  },
)
