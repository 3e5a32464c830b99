import type { Keyring } from '../sealed/keyring.ts'
import { macOf, uuidOf } from './identity-id.ts'

/** How an installation wants its identity pool: with an id of its own choice or one of ours, with guests or not. */
export type IdentityPoolWish = { id?: string | undefined; allowsGuests: boolean }

/** The identity pool beside the user pool. `id` is like `us-east-1:<uuid>`. */
export type IdentityPool = { readonly id: string; readonly allowsGuests: boolean }

const REGION = 'us-east-1'

/** The identity pool of a user pool. An id that was not chosen follows from the pool's, so that it is always the same. */
export function identityPoolOf(
  pool: { keyring: Keyring; id: string },
  { id, allowsGuests }: IdentityPoolWish,
): IdentityPool {
  return { id: id ?? `${REGION}:${uuidOf(macOf(pool.keyring, 'pool', pool.id))}`, allowsGuests }
}
