import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { addDevice, findDevice } from '../devices/device-store.ts'
import { deviceVerifierColumns } from '../devices/device-verifier.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import { setSessionDevice } from '../tokens/session-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter, refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'id' | 'keyring' | 'tracksDevices'>

const ConfirmDevice = z.object({
  AccessToken: field.token,
  DeviceKey: field.deviceKey,
  DeviceName: field.deviceName.optional(),
  DeviceSecretVerifierConfig: z.object({ Salt: field.base64Text, PasswordVerifier: field.base64Text }),
})

/**
 * Keeps the verifier of the device that was offered with these tokens, and remembers the device (identity.md 2.11).
 * The secret stays on the device.
 */
export const confirmDevice = operation(ConfirmDevice, async (pool: Ports, input) => {
  const { user, session } = await authorize(pool, input.AccessToken)
  if (!pool.tracksDevices || session.device_key !== input.DeviceKey) {
    throw invalidParameter('Invalid device key given.')
  }
  const key = { sub: user.sub, device_key: input.DeviceKey }
  const groupKey = session.device_group_key
  const { Salt: salt, PasswordVerifier: verifier } = input.DeviceSecretVerifierConfig
  const columns = deviceVerifierColumns(pool, key, { salt, verifier })
  const now = pool.clock.now().toISOString()
  await decide(pool, async (trx) => {
    if (await findDevice(trx, key)) return exists()
    if (groupKey === null) return refusals.unknownDevice()
    const times = { created_at: now, updated_at: now, signed_in_at: now }
    const name = input.DeviceName ?? null
    const isNew = await addDevice(trx, { ...key, group_key: groupKey, name, remembered: 1, ...columns, ...times })
    if (!isNew) return exists()
    await setSessionDevice(trx, session, { device_key: key.device_key, device_group_key: null })
    await recordEvent(pool, trx, user, 'device-remembered')
    return undefined
  })
  return { UserConfirmationNecessary: false }
})

function exists(): CognitoError {
  return new CognitoError('DeviceKeyExistsException', 'Device key already exists.')
}
