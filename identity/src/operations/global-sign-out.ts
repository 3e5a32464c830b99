import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { authorize } from '../tokens/authorize.ts'
import { revokeSessionsOf } from '../tokens/session-store.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

const GlobalSignOut = z.object({ AccessToken: field.token })

/** Ends every session of the user (identity.md 5.5). */
export const globalSignOut = operation(
  GlobalSignOut,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'endedSessions'>, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const now = pool.clock.now().toISOString()
    const ended = await pool.database.transaction(async (trx) => {
      await recordEvent(pool, trx, user, 'signed-out-everywhere')
      return await revokeSessionsOf(trx, user.sub, { now })
    })
    pool.endedSessions.add(ended)
    return {}
  },
)
