import { invalidParameter } from '../../base/errors/refusals.ts'

import type { Pool } from '../../base/ports.ts'
import { openFromRow, sealForRow } from '../../base/keys/keyring.ts'
import { N, toGroupBytes, toInteger } from '../../base/srp/srp.ts'
import type { DeviceRow, SessionRow } from '../../base/tables.ts'

/** Salts have 16 bytes, plus a leading zero byte if the top bit is set. Only the integer value matters. */
const SALT_LIMIT = 17
const VERIFIER_LIMIT = 385

/** The stored columns for the secret of a device, which never leaves the device. */
type VerifierColumns = Pick<DeviceRow, 'salt' | 'verifier_box' | 'key_id'>

/**
 * Seals the verifier a device made for itself. Both come as base64 of big-endian integers.
 * @throws InvalidParameterException for numbers out of range.
 */
export function deviceVerifierColumns(
  pool: Pick<Pool, 'id' | 'keyring' | 'random'>,
  device: Pick<DeviceRow, 'sub' | 'device_key'>,
  secret: { salt: string; verifier: string },
): VerifierColumns {
  const salt = Buffer.from(secret.salt, 'base64')
  const verifier = readVerifier(Buffer.from(secret.verifier, 'base64'))
  if (salt.length === 0 || salt.length > SALT_LIMIT || toInteger(salt) === 0n || verifier === undefined) {
    throw invalidParameter('Invalid device secret verifier given.')
  }
  const sealed = sealForRow(pool, 'device-verifier', deviceVerifierRow(pool, { ...device, salt }), verifier)
  return { salt, verifier_box: sealed.box, key_id: sealed.keyId }
}

/** The device's SRP verifier, 384 bytes. */
export function openDeviceVerifier(pool: Pick<Pool, 'id' | 'keyring'>, device: DeviceRow): Buffer {
  const column = { box: device.verifier_box, keyId: device.key_id }
  return openFromRow(pool.keyring, 'device-verifier', deviceVerifierRow(pool, device), column)
}

/** The row name that the box of a device's verifier is bound to. */
export function deviceVerifierRow(
  pool: Pick<Pool, 'id'>,
  device: Pick<DeviceRow, 'sub' | 'device_key' | 'salt'>,
): string {
  return `${pool.id}|${device.sub}|${device.device_key}|${Buffer.from(device.salt).toString('hex')}`
}

function readVerifier(bytes: Buffer): Buffer | undefined {
  if (bytes.length > VERIFIER_LIMIT) return undefined
  const value = toInteger(bytes)
  return value > 1n && value < N - 1n ? toGroupBytes(value) : undefined
}

const GROUP_KEY_LENGTH = 10
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The keys of a device that may be confirmed. */
export type NewDeviceMetadata = { DeviceKey: string; DeviceGroupKey: string }

/** New device keys for the session that may confirm them. */
export function newDeviceColumns(pool: Pick<Pool, 'id' | 'random'>): { device_key: string; device_group_key: string } {
  const region = pool.id.slice(0, pool.id.indexOf('_'))
  const group = Array.from({ length: GROUP_KEY_LENGTH }, () => LETTERS.charAt(pool.random.below(LETTERS.length)))
  return { device_key: `${region}_${pool.random.uuid()}`, device_group_key: `-${group.join('')}` }
}

/** The device that is offered with these tokens, if any. */
export function newDeviceOf({ device_key, device_group_key }: SessionRow): NewDeviceMetadata | undefined {
  if (device_key === null || device_group_key === null) return undefined
  return { DeviceKey: device_key, DeviceGroupKey: device_group_key }
}

/** A device as clients list it; times are seconds since 1970. IP addresses are not stored. */
export function presentDevice(device: DeviceRow): object {
  const remembered = device.remembered === 1 ? 'remembered' : 'not_remembered'
  return {
    DeviceKey: device.device_key,
    DeviceAttributes: [
      { Name: 'device_status', Value: 'valid' },
      ...(device.name === null ? [] : [{ Name: 'device_name', Value: device.name }]),
      { Name: 'dev:device_remembered_status', Value: remembered },
    ],
    DeviceCreateDate: seconds(device.created_at),
    DeviceLastModifiedDate: seconds(device.updated_at),
    DeviceLastAuthenticatedDate: seconds(device.signed_in_at),
  }
}

function seconds(iso: string): number {
  return new Date(iso).getTime() / 1000
}
