import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, invalidParameter, refusals } from '../../base/errors/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation, readPageToken, toPageToken } from '../../base/requests/operation.ts'
import {
  addDevice,
  findDevice,
  listDevices as listRows,
  removeDevice,
  setRemembered,
} from '../../parts/devices/device-store.ts'
import { deviceVerifierColumns, presentDevice } from '../../parts/devices/device.ts'
import { setSessionDevice } from '../../parts/tokens/session-store.ts'
import { endSessionsOn } from '../../sign-in/end-sessions.ts'
import { authorize } from '../../sign-in/signed-in.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'id' | 'keyring' | 'tracksDevices'>

const ConfirmDevice = z.object({
  AccessToken: field.token,
  DeviceKey: field.deviceKey,
  DeviceName: field.deviceName.optional(),
  DeviceSecretVerifierConfig: z.object({ Salt: field.base64Text, PasswordVerifier: field.base64Text }),
})

/**
 * Stores the verifier of the device that was offered with these tokens, and remembers the device. The secret stays on
 * the device.
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
  await commitOrRefuse(pool, async (trx) => {
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

const GetDevice = z.object({ AccessToken: field.token, DeviceKey: field.deviceKey })

/** One of the signed-in user's devices. */
export const getDevice = operation(GetDevice, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const device = await findDevice(pool.database.read, { sub: user.sub, device_key: input.DeviceKey })
  if (!device) throw refusals.unknownDevice()
  return { Device: presentDevice(device) }
})

const PAGE = 60

const ListDevices = z.object({
  AccessToken: field.token,
  Limit: field.limit(PAGE).optional(),
  PaginationToken: field.pageToken.optional(),
})

/** The signed-in user's devices, at most 60 at a time. */
export const listDevices = operation(ListDevices, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const limit = input.Limit === undefined || input.Limit === 0 ? PAGE : input.Limit
  const after = readPageToken(input.PaginationToken)
  const rows = await listRows(pool.database.read, user.sub, { after, limit: limit + 1 })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    Devices: rows.slice(0, limit).map(presentDevice),
    ...(last && { PaginationToken: toPageToken(last.device_key) }),
  }
})

const ForgetDevice = z.object({ AccessToken: field.token, DeviceKey: field.deviceKey })

/**
 * Forgets a device and ends its sessions, for example of a lost phone. The session of the caller continues without a
 * device.
 */
export const forgetDevice = operation(
  ForgetDevice,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'endedSessions'>, input) => {
    const { user, session } = await authorize(pool, input.AccessToken)
    const key = { sub: user.sub, device_key: input.DeviceKey }
    const now = pool.clock.now().toISOString()
    const ended = await commitOrRefuse(pool, async (trx) => {
      if (!(await removeDevice(trx, key))) return refusals.unknownDevice()
      await recordEvent(pool, trx, user, 'device-forgotten')
      if (session.device_key === key.device_key) {
        await setSessionDevice(trx, session, { device_key: null, device_group_key: null })
      }
      return await endSessionsOn(trx, key, { now, keep: session.origin_jti })
    })
    pool.endedSessions.add(ended)
    return {}
  },
)

const UpdateDeviceStatus = z.object({
  AccessToken: field.token,
  DeviceKey: field.deviceKey,
  DeviceRememberedStatus: field.oneOf(['remembered', 'not_remembered']).optional(),
})

/** Sets whether a device replaces the second factor. */
export const updateDeviceStatus = operation(UpdateDeviceStatus, async (pool: VerifyPorts & EventPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const key = { sub: user.sub, device_key: input.DeviceKey }
  const remembered = input.DeviceRememberedStatus === 'remembered'
  const change = { remembered, now: pool.clock.now().toISOString() }
  await commitOrRefuse(pool, async (trx) => {
    const device = await findDevice(trx, key)
    if (!device || !(await setRemembered(trx, key, change))) return refusals.unknownDevice()
    if ((device.remembered === 1) === remembered) return undefined
    await recordEvent(pool, trx, user, remembered ? 'device-remembered' : 'device-not-remembered')
    return undefined
  })
  return {}
})
