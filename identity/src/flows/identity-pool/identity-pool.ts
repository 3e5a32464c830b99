import { createHmac } from 'node:crypto'

import { uuidBytes, uuidText } from '../../base/names.ts'
import type { IdentityPool, Pool } from '../../base/ports.ts'
import type { Keyring } from '../../base/keys/keyring.ts'
import type { IdentityPoolSettings } from '../../base/settings.ts'

const REGION = 'us-east-1'

/** The identity pool of a user pool. Without a configured id, the id is derived from that of the user pool. */
export function identityPoolOf(
  pool: { keyring: Keyring; id: string },
  { id, allowsGuests }: IdentityPoolSettings,
): IdentityPool {
  return { id: id ?? `${REGION}:${uuidOf(macOf(pool.keyring, 'pool', pool.id))}`, allowsGuests }
}

const HALF_BYTES = 8

type Kind = 'user' | 'guest'

/**
 * The identity of a user, always the same one until the user is deleted. Identities are not stored: the first half of an id
 * identifies the user, the second proves that this pool issued it, and whether to a user or to a guest.
 */
export function userIdentity(pool: Pick<Pool, 'keyring'>, identityPool: IdentityPool, sub: string): string {
  return identityFrom(pool, identityPool, 'user', macOf(pool.keyring, 'user', `${identityPool.id}|${sub}`))
}

/** A new identity for a guest. */
export function guestIdentity(pool: Pick<Pool, 'keyring' | 'random'>, identityPool: IdentityPool): string {
  return identityFrom(pool, identityPool, 'guest', pool.random.bytes(HALF_BYTES))
}

/** Whether an identity belongs to a user or a guest; undefined when this pool did not issue it. */
export function kindOf(pool: Pick<Pool, 'keyring'>, identityPool: IdentityPool, identityId: string): Kind | undefined {
  const half = uuidBytes(identityId.slice(identityId.indexOf(':') + 1)).subarray(0, HALF_BYTES)
  if (half.length < HALF_BYTES) return undefined
  return (['user', 'guest'] as const).find((kind) => identityFrom(pool, identityPool, kind, half) === identityId)
}

/** An identity id has its pool's region. */
function identityFrom({ keyring }: Pick<Pool, 'keyring'>, { id }: IdentityPool, kind: Kind, half: Buffer): string {
  const first = asUuid(Buffer.concat([half.subarray(0, HALF_BYTES), Buffer.alloc(HALF_BYTES)])).subarray(0, HALF_BYTES)
  const second = macOf(keyring, `${kind} identity`, `${id}|${first.toString('hex')}`).subarray(0, HALF_BYTES)
  return `${id.slice(0, id.indexOf(':'))}:${uuidOf(Buffer.concat([first, second]))}`
}

/** 32 bytes derived from the words. */
function macOf(keyring: Keyring, what: string, name: string): Buffer {
  return createHmac('sha256', keyring.current('identity-id')).update(`${what}|${name}`, 'utf8').digest()
}

/** A UUID of the random kind out of 16 bytes. */
function uuidOf(bytes: Buffer): string {
  return uuidText(asUuid(bytes.subarray(0, 2 * HALF_BYTES)))
}

function asUuid(bytes: Buffer): Buffer {
  const uuid = Buffer.from(bytes)
  uuid.writeUInt8((uuid.readUInt8(6) & 0x0f) | 0x40, 6)
  uuid.writeUInt8((uuid.readUInt8(8) & 0x3f) | 0x80, 8)
  return uuid
}
