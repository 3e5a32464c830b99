import { z } from 'zod'

import { authorize } from '../tokens/authorize.ts'
import { removeUser } from '../users/remove-user.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & Pick<Pool, 'endedSessions' | 'mail' | 'onUserDeleted' | 'productName' | 'userAgent'>

const DeleteUser = z.object({ AccessToken: field.token })

/** Removes the signed-in user with all their data (identity.md 2.10). */
export const deleteUser = operation(DeleteUser, async (pool: Ports, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const ended = await pool.database.transaction(async (trx) => await removeUser(pool, trx, user.sub))
  pool.endedSessions.add(ended)
  pool.mail.wake()
  return {}
})
