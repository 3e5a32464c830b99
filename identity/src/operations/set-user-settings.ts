import { z } from 'zod'

import { changeMfa } from '../mfa/change-mfa.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

const SetUserSettings = z.object({
  AccessToken: field.token,
  MFAOptions: z.array(z.object({ DeliveryMedium: z.string().optional(), AttributeName: z.string().optional() })),
})

/** The older way to switch codes by text message on (a list with one entry) and off (an empty one). */
export const setUserSettings = operation(
  SetUserSettings,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'mfa'>, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const Enabled = input.MFAOptions.some((option) => option.DeliveryMedium === 'SMS')
    await decide(pool, async (trx) => await changeMfa(pool, trx, user.sub, { SMS_MFA: { Enabled } }))
    pool.mail.wake()
    return {}
  },
)
