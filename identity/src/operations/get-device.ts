import { z } from 'zod'

import { findDevice } from '../devices/device-store.ts'
import { presentDevice } from '../devices/present-device.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { VerifyPorts } from '../base/ports.ts'

const GetDevice = z.object({ AccessToken: field.token, DeviceKey: field.deviceKey })

/** One of the signed-in user's devices. */
export const getDevice = operation(GetDevice, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const device = await findDevice(pool.database.read, { sub: user.sub, device_key: input.DeviceKey })
  if (!device) throw refusals.unknownDevice()
  return { Device: presentDevice(device) }
})
