import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { findDevice, setRemembered } from '../devices/device-store.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { EventPorts, VerifyPorts } from '../base/ports.ts'

const UpdateDeviceStatus = z.object({
  AccessToken: field.token,
  DeviceKey: field.deviceKey,
  DeviceRememberedStatus: field.oneOf(['remembered', 'not_remembered']).optional(),
})

/** Says whether a device stands in for the second factor from now on. */
export const updateDeviceStatus = operation(UpdateDeviceStatus, async (pool: VerifyPorts & EventPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const key = { sub: user.sub, device_key: input.DeviceKey }
  const remembered = input.DeviceRememberedStatus === 'remembered'
  const change = { remembered, now: pool.clock.now().toISOString() }
  await decide(pool, async (trx) => {
    const device = await findDevice(trx, key)
    if (!device || !(await setRemembered(trx, key, change))) return refusals.unknownDevice()
    if ((device.remembered === 1) === remembered) return undefined
    await recordEvent(pool, trx, user, remembered ? 'device-remembered' : 'device-not-remembered')
    return undefined
  })
  return {}
})
