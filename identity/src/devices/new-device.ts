import type { SessionRow } from '../tables.ts'
import type { Pool } from '../base/ports.ts'

const GROUP_KEY_LENGTH = 10
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** What clients are told of a device they may confirm (identity.md 3.6). */
export type NewDeviceMetadata = { DeviceKey: string; DeviceGroupKey: string }

/** The keys of a device nobody knows yet, for the session that may confirm it. */
export function newDeviceColumns(pool: Pick<Pool, 'id' | 'random'>): { device_key: string; device_group_key: string } {
  const region = pool.id.slice(0, pool.id.indexOf('_'))
  const group = Array.from({ length: GROUP_KEY_LENGTH }, () => LETTERS.charAt(pool.random.below(LETTERS.length)))
  return { device_key: `${region}_${pool.random.uuid()}`, device_group_key: `-${group.join('')}` }
}

/** The device that is offered with these tokens, if one is. */
export function newDeviceOf({ device_key, device_group_key }: SessionRow): NewDeviceMetadata | undefined {
  if (device_key === null || device_group_key === null) return undefined
  return { DeviceKey: device_key, DeviceGroupKey: device_group_key }
}
