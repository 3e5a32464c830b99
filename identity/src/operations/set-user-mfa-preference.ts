import { z } from 'zod'

import { changeMfa, type MfaChanges } from '../mfa/change-mfa.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

const Settings = z.object({ Enabled: field.flag.optional(), PreferredMfa: field.flag.optional() })

const SetUserMfaPreference = z.object({
  AccessToken: field.token,
  SoftwareTokenMfaSettings: Settings.optional(),
  EmailMfaSettings: Settings.optional(),
  SMSMfaSettings: Settings.optional(),
})

/** Switches second factors on and off, and says which one is asked for first (identity.md 2.11). */
export const setUserMfaPreference = operation(
  SetUserMfaPreference,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'mfa'>, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const changes: MfaChanges = {
      SOFTWARE_TOKEN_MFA: input.SoftwareTokenMfaSettings,
      EMAIL_OTP: input.EmailMfaSettings,
      SMS_MFA: input.SMSMfaSettings,
    }
    await decide(pool, async (trx) => await changeMfa(pool, trx, user.sub, changes))
    pool.mail.wake()
    return {}
  },
)
