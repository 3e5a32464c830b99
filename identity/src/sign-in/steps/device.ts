import { findDevice } from '../../devices/device-store.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Db } from '../../tables.ts'
import { refusals } from '../../wire/refusals.ts'
import type { Progress } from '../session.ts'
import { challenge, type Step } from '../step.ts'

/**
 * Has a device that is named prove its secret (identity.md 2.7). One that is not this user's is refused in the words on
 * which clients forget it and answer again, so the caller leaves the answered challenge open.
 */
export const requireDevice: Step = async (pool, trx, user, progress) => {
  const { proven, deviceKey } = progress
  if (!pool.tracksDevices || deviceKey === undefined || proven.includes('device')) return undefined
  if (!(await findDevice(trx, { sub: user.sub, device_key: deviceKey }))) return refusals.unknownDevice()
  return challenge(pool, user, progress, { name: 'DEVICE_SRP_AUTH' })
}

/**
 * Whether the sign-in names a remembered device of this user. It is then let past the second factor, and
 * `requireDevice` sees to it that nobody gets tokens without the device's own proof.
 */
export async function isOnRememberedDevice(pool: Pool, db: Db, sub: string, { deviceKey }: Progress): Promise<boolean> {
  if (!pool.tracksDevices || deviceKey === undefined) return false
  return (await findDevice(db, { sub, device_key: deviceKey }))?.remembered === 1
}
