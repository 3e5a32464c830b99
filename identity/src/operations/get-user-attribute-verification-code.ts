import { z } from 'zod'

import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import { deliveryTo, deliveryToPhone, sendCode } from '../users/code-delivery.ts'
import { readProvable } from '../users/provable-attribute.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter } from '../wire/refusals.ts'
import type { CodePorts, VerifyPorts } from '../base/ports.ts'

const GetUserAttributeVerificationCode = z.object({ AccessToken: field.token, AttributeName: field.attributeName })

/** Sends another code to the address or number that waits to be proven (identity.md 2.10). */
export const getUserAttributeVerificationCode = operation(
  GetUserAttributeVerificationCode,
  async (pool: CodePorts & VerifyPorts, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const purpose = readProvable(input.AttributeName)
    const to = purpose === 'email' ? (user.pending_email ?? user.email) : (user.pending_phone ?? user.phone_number)
    if (to === null) throw invalidParameter('User does not have a phone number.')
    await decide(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'GetUserAttributeVerificationCode', user.sub)
      if (refusal) return refusal
      await sendCode(pool, trx, { sub: user.sub, purpose, to })
      return undefined
    })
    pool.mail.wake()
    return { CodeDeliveryDetails: purpose === 'email' ? deliveryTo(to) : deliveryToPhone(to) }
  },
)
