import { createHmac, hkdfSync } from 'node:crypto'

import { uuidText } from './names.ts'
import type { Pool } from './ports.ts'
import { GROUP_BYTES, N, toGroupBytes, toInteger, withoutLeadingZero } from './srp/srp.ts'

/**
 * The `sub` of an unknown name: always the same, in the form of a real one.
 * @param nameKey the name as `nameKey` returns it
 */
export function fakeSub(pool: Pick<Pool, 'id' | 'keyring'>, nameKey: string): string {
  const bytes = mac(pool, 'sub', nameKey).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return uuidText(bytes)
}

/**
 * The decoy salt and verifier of an unknown name. The verifier is the square of a derived number rather than a power of
 * g: both are evenly distributed over the same subgroup, and it costs no more than decrypting a real verifier.
 */
export function fakePassword(pool: Pick<Pool, 'id' | 'keyring'>, sub: string): { salt: Buffer; verifier: Buffer } {
  const salt = withoutLeadingZero(mac(pool, 'salt', sub).subarray(0, 16))
  const key = pool.keyring.current('fake-user')
  const root = toInteger(new Uint8Array(hkdfSync('sha256', key, `${pool.id}|${sub}`, 'verifier', GROUP_BYTES)))
  return { salt, verifier: toGroupBytes((root * root) % N) }
}

/** A letter for the masked mail address of an unknown name, always the same. */
export function fakeLetter(pool: Pick<Pool, 'id' | 'keyring'>, what: 'local' | 'domain', nameKey: string): string {
  return String.fromCharCode('a'.charCodeAt(0) + (mac(pool, what, nameKey).readUInt16BE(0) % 26))
}

/** 32 bytes derived from an unknown name. @param what the kind of bytes */
export function fakeBytes(pool: Pick<Pool, 'id' | 'keyring'>, what: string, sub: string): Buffer {
  return mac(pool, what, sub)
}

/** Whether an unknown name appears to have something that one in `of` users has. */
export function fakeHas(pool: Pick<Pool, 'id' | 'keyring'>, what: string, sub: string, of: number): boolean {
  return mac(pool, `has ${what}`, sub).readUInt16BE(0) % of === 0
}

function mac(pool: Pick<Pool, 'id' | 'keyring'>, what: string, name: string): Buffer {
  return createHmac('sha256', pool.keyring.current('fake-user')).update(`${what}|${pool.id}|${name}`, 'utf8').digest()
}
