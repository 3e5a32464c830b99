import { z } from 'zod'

import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'

const GetUser = z.object({ AccessToken: field.token })

/** The signed-in user; attribute values are strings here, `"true"` included (identity.md 2.10). */
export const getUser = operation(GetUser, async (pool, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  return {
    Username: user.username,
    UserAttributes: [
      { Name: 'sub', Value: user.sub },
      { Name: 'email', Value: user.email },
      { Name: 'email_verified', Value: String(user.email_verified === 1) },
    ],
  }
})
