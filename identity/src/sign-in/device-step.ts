import { type CognitoError, refusals } from '../base/errors/refusals.ts'
import type { Pool } from '../base/ports.ts'
import type { Db } from '../base/tables.ts'
import { findDevice } from '../parts/devices/device-store.ts'
import { challenge, type Progress, type Step } from './session.ts'

/**
 * Has a device that is named prove its secret (identity.md 2.7). One that is not this user's is refused in the words on
 * which clients forget it and answer again, so the caller leaves the answered challenge open.
 */
export const requireDevice: Step = async (pool, trx, user, progress) => {
  const { proven, deviceKey } = progress
  if (!pool.tracksDevices || deviceKey === undefined || proven.includes('device')) return undefined
  const refusal = await refuseUnknownDevice(pool, trx, user.sub, deviceKey)
  if (refusal) return refusal
  return challenge(pool, user, progress, { name: 'DEVICE_SRP_AUTH' })
}

/**
 * Refuses such a device before a second factor is asked for: its code would be used up by the time the device's turn
 * comes, and clients could not answer again.
 */
export const refuseForgottenDevice: Step = async (pool, trx, user, { proven, deviceKey }) =>
  proven.includes('mfa') ? undefined : await refuseUnknownDevice(pool, trx, user.sub, deviceKey)

/** The refusal for a device that is named and is not this user's. */
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
 * Whether the sign-in names a remembered device of this user. It is then let past the second factor, and
 * `requireDevice` sees to it that nobody gets tokens without the device's own proof.
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
 * The device that clients name along with a code or a name, if it is this user's. One that was forgotten is passed over
 * there: the same code cannot be given twice.
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
