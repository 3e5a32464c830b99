import { z } from 'zod'

import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { resolveSigningUp } from '../users/account.ts'
import { confirmationLink, deliveryTo, sendCode, simulatedDelivery } from '../users/code-delivery.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter } from '../wire/refusals.ts'
import type { CodePorts, Pool } from '../base/ports.ts'

type Ports = CodePorts & Pick<Pool, 'database' | 'id' | 'publicUrl' | 'verification'>

const ResendConfirmationCode = z.object({ ClientId: field.clientId, Username: field.username })

/**
 * Mails a new code, which replaces the old one (identity.md 2.4). An unknown name is answered alike, with as much work.
 */
export const resendConfirmationCode = operation(ResendConfirmationCode, async (pool: Ports, input) => {
  const account = await resolveSigningUp(pool, input.Username)
  const { sub, user } = account
  if (user && user.status !== 'UNCONFIRMED') throw invalidParameter('User is already confirmed.')
  const to = user?.email
  const link = confirmationLink(pool, user?.username ?? input.Username)
  await decide(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'ResendConfirmationCode', sub)
    if (refusal) return refusal
    await sendCode(pool, trx, { sub, purpose: 'sign-up', to, link })
    return undefined
  })
  pool.mail.wake()
  return { CodeDeliveryDetails: to === undefined ? simulatedDelivery(pool, account) : deliveryTo(to) }
})
