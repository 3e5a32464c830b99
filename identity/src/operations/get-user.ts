import { z } from 'zod'

import { presentMfa } from '../mfa/present-mfa.ts'
import { authorize } from '../tokens/authorize.ts'
import { presentAttributes } from '../users/attributes.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { VerifyPorts } from '../base/ports.ts'

const GetUser = z.object({ AccessToken: field.token })

/** The signed-in user with the second factors that are on (identity.md 2.10). */
export const getUser = operation(GetUser, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  return {
    Username: user.username,
    UserAttributes: presentAttributes(user),
    ...(await presentMfa(pool.database.read, user)),
  }
})
