import { openFromRow, sealForRow } from '../sealed/sealed-row.ts'
import { N, toGroupBytes, toInteger } from '../srp/group.ts'
import type { DeviceRow } from '../tables.ts'
import { invalidParameter } from '../wire/refusals.ts'
import type { Pool } from '../base/ports.ts'

/** Salts are 16 bytes, with a zero byte in front where the top bit is set; the integer counts. */
const SALT_LIMIT = 17
const VERIFIER_LIMIT = 385

/** What the database keeps of a device's secret, which never leaves the device. */
type VerifierColumns = Pick<DeviceRow, 'salt' | 'verifier_box' | 'key_id'>

/**
 * Seals the verifier a device made for itself (identity.md 3.6). Both come as base64 of big-endian integers.
 * @throws InvalidParameterException for numbers that no honest device sends.
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

/** What the box of a device's verifier is bound to. */
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
