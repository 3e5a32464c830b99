import { systemRandom } from '@marquee/platform/runtime/random'

import { createKeyring } from '../base/keys/keyring.ts'
import { openValue, type SealedFor, sealValue } from '../base/sealed/sealed-token.ts'
import type { RunningPool } from './a-pool.ts'

/** The owner of a sealed value. */
export type Owner = Pick<SealedFor, 'poolId' | 'clientId'>

/**
 * Seals a value of the pool again with the same master key, for another owner or with a change.
 */
export type Reseal = (
  kind: SealedFor['kind'],
  text: unknown,
  encoding?: 'base64' | 'base64url',
  change?: (value: object) => object,
) => string

export function ownerOf({ identity }: RunningPool): Owner {
  return { poolId: identity.pool.userPoolId, clientId: identity.pool.userPoolClientId }
}

export function resealFor(pool: RunningPool, owner: Owner): Reseal {
  const keyring = createKeyring(pool.masterKey)
  return (kind, text, encoding = 'base64url', change = (same) => same) => {
    const value = openValue(keyring, { kind, ...ownerOf(pool) }, Buffer.from(String(text), encoding))
    if (value === undefined) throw new Error(`This is not a ${kind} of this pool`)
    return sealValue({ keyring, random: systemRandom }, { kind, ...owner }, change(value as object)).toString(encoding)
  }
}
