import { z } from 'zod'

import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { resolveAccount } from '../users/account.ts'
import { deliveryTo, sendCode, simulatedDelivery } from '../users/code-delivery.ts'
import { fakeSub } from '../users/fake-user.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter } from '../wire/refusals.ts'

const ResendConfirmationCode = z.object({ ClientId: field.clientId, Username: field.username })

/**
 * Mails a new code, which replaces the old one (identity.md 2.4). That a user is confirmed already is said only to who
 * names the username, whose existence SignUp tells anyway; by e-mail the answer is the one for an unknown address.
 */
export const resendConfirmationCode = operation(ResendConfirmationCode, async (pool, input) => {
  const account = await resolveAccount(pool, input.Username)
  const isWaiting = account.user?.status === 'UNCONFIRMED'
  if (account.user && !isWaiting && account.isNamedByUsername) throw invalidParameter('User is already confirmed.')
  const to = isWaiting ? account.user?.email : undefined
  const sub = to === undefined ? fakeSub(pool, account.nameKey) : account.sub
  await decide(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'ResendConfirmationCode', sub)
    if (refusal) return refusal
    await sendCode(pool, trx, { sub, purpose: 'sign-up', to })
    return undefined
  })
  pool.mail.wake()
  return { CodeDeliveryDetails: to === undefined ? simulatedDelivery(pool, account) : deliveryTo(to) }
})
