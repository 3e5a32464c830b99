import { z } from 'zod'

import { presentMfa } from '../mfa/present-mfa.ts'
import { listPasskeys } from '../passkeys/passkey-store.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { VerifyPorts } from '../base/ports.ts'

const GetUserAuthFactors = z.object({ AccessToken: field.token })

/** What the signed-in user could begin a sign-in with, and the second factors that are on. */
export const getUserAuthFactors = operation(GetUserAuthFactors, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const ConfiguredUserAuthFactors = ['PASSWORD']
  if (user.email_verified === 1) ConfiguredUserAuthFactors.push('EMAIL_OTP')
  if (user.phone_number !== null) ConfiguredUserAuthFactors.push('SMS_OTP')
  if ((await listPasskeys(pool.database.read, user.sub)).length > 0) ConfiguredUserAuthFactors.push('WEB_AUTHN')
  return { Username: user.username, ConfiguredUserAuthFactors, ...(await presentMfa(pool.database.read, user)) }
})
