import { type CognitoError, refusals } from '../base/errors/refusals.ts'
import type { Pool } from '../base/ports.ts'
import type { Db } from '../base/tables.ts'
import { findDevice } from '../parts/devices/device-store.ts'
import { challenge, type Progress, type Step } from './session.ts'

/**
 * Requires a named device to prove its secret. A device of another user is rejected with the message that makes clients
 * forget it and answer again, so the caller leaves the challenge open.
 */
export const requireDevice: Step = async (pool, trx, user, progress) => {
  const { proven, deviceKey } = progress
  if (!pool.tracksDevices || deviceKey === undefined || proven.includes('device')) return undefined
  const refusal = await refuseUnknownDevice(pool, trx, user.sub, deviceKey)
  if (refusal) return refusal
  return challenge(pool, user, progress, { name: 'DEVICE_SRP_AUTH' })
}

/**
 * Refuses such a device before a second factor is asked for: otherwise the code would be used up, and clients could not
 * answer again.
 */
export const refuseForgottenDevice: Step = async (pool, trx, user, { proven, deviceKey }) =>
  proven.includes('mfa') ? undefined : await refuseUnknownDevice(pool, trx, user.sub, deviceKey)

/** The refusal for a named device that does not belong to this user. */
export async function refuseUnknownDevice(
  pool: Pick<Pool, 'tracksDevices'>,
  db: Db,
  sub: string,
  deviceKey: string | undefined,
): Promise<CognitoError | undefined> {
  if (!pool.tracksDevices || deviceKey === undefined) return undefined
  return (await findDevice(db, { sub, device_key: deviceKey })) ? undefined : refusals.unknownDevice()
}

/**
 * Whether the sign-in names a remembered device of this user. It then skips the second factor, and `requireDevice`
 * requires the proof of the device before there are tokens.
 */
export async function isOnRememberedDevice(
  pool: Pick<Pool, 'tracksDevices'>,
  db: Db,
  sub: string,
  { deviceKey }: Progress,
): Promise<boolean> {
  if (!pool.tracksDevices || deviceKey === undefined) return false
  return (await findDevice(db, { sub, device_key: deviceKey }))?.remembered === 1
}

/**
 * The device that clients name along with a code or a name, if it is this user's. A forgotten device is ignored here:
 * the client cannot send the same code twice.
 */
export async function knownDevice(
  pool: Pick<Pool, 'database' | 'tracksDevices'>,
  sub: string,
  given: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const deviceKey = given.get('DEVICE_KEY')
  if (!pool.tracksDevices || deviceKey === undefined) return undefined
  return (await findDevice(pool.database.read, { sub, device_key: deviceKey }))?.device_key
}
