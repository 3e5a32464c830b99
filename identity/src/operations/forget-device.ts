import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { removeDevice } from '../devices/device-store.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import { revokeSessionsOn, setSessionDevice } from '../tokens/session-store.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

const ForgetDevice = z.object({ AccessToken: field.token, DeviceKey: field.deviceKey })

/**
 * Forgets a device and ends what was signed in on it: who forgets a lost phone wants it out. The sign-in that asks goes
 * on, without a device.
 */
export const forgetDevice = operation(
  ForgetDevice,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'endedSessions'>, input) => {
    const { user, session } = await authorize(pool, input.AccessToken)
    const key = { sub: user.sub, device_key: input.DeviceKey }
    const now = pool.clock.now().toISOString()
    const ended = await decide(pool, async (trx) => {
      if (!(await removeDevice(trx, key))) return refusals.unknownDevice()
      await recordEvent(pool, trx, user, 'device-forgotten')
      if (session.device_key === key.device_key) {
        await setSessionDevice(trx, session, { device_key: null, device_group_key: null })
      }
      return await revokeSessionsOn(trx, key, { now, keep: session.origin_jti })
    })
    pool.endedSessions.add(ended)
    return {}
  },
)
