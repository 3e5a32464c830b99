import type { Cleanup, Db, DeviceRow } from '../../base/tables.ts'

type DeviceKey = Pick<DeviceRow, 'sub' | 'device_key'>

/** Stores a device; false when it is known already. */
export async function addDevice(trx: Db, device: DeviceRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identity_device')
    .values(device)
    .onConflict((conflict) => conflict.columns(['sub', 'device_key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findDevice(db: Db, { sub, device_key }: DeviceKey): Promise<DeviceRow | undefined> {
  return await db
    .selectFrom('identity_device')
    .selectAll()
    .where('sub', '=', sub)
    .where('device_key', '=', device_key)
    .executeTakeFirst()
}

/** A user's devices in the order of their keys, from after the given one. */
export async function listDevices(
  db: Db,
  sub: string,
  { after, limit }: { after: string; limit: number },
): Promise<DeviceRow[]> {
  return await db
    .selectFrom('identity_device')
    .selectAll()
    .where('sub', '=', sub)
    .where('device_key', '>', after)
    .orderBy('device_key')
    .limit(limit)
    .execute()
}

/** Sets whether the device replaces a second factor; false when it does not exist. */
export async function setRemembered(
  trx: Db,
  { sub, device_key }: DeviceKey,
  { remembered, now }: { remembered: boolean; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_device')
    .set({ remembered: Number(remembered), updated_at: now })
    .where('sub', '=', sub)
    .where('device_key', '=', device_key)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Records a proof of the device; false when it was removed. */
export async function recordDeviceSignIn(trx: Db, { sub, device_key }: DeviceKey, now: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_device')
    .set({ signed_in_at: now })
    .where('sub', '=', sub)
    .where('device_key', '=', device_key)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes a device; false when there was none. */
export async function removeDevice(trx: Db, { sub, device_key }: DeviceKey): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('identity_device')
    .where('sub', '=', sub)
    .where('device_key', '=', device_key)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export const deviceCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_device').where('sub', 'in', subs).execute()
  },
}
