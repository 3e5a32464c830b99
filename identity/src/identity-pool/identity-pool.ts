import type { Keyring } from '../sealed/keyring.ts'
import { macOf, uuidOf } from './identity-id.ts'
import type { IdentityPool } from '../base/ports.ts'
import type { IdentityPoolSettings } from '../base/settings.ts'

const REGION = 'us-east-1'

/** The identity pool of a user pool. An id that was not chosen follows from the pool's, so that it is always the same. */
export function identityPoolOf(
  pool: { keyring: Keyring; id: string },
  { id, allowsGuests }: IdentityPoolSettings,
): IdentityPool {
  return { id: id ?? `${REGION}:${uuidOf(macOf(pool.keyring, 'pool', pool.id))}`, allowsGuests }
}
