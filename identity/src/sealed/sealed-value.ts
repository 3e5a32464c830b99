import type { Random } from '@marquee/platform/runtime/random'

import { open, seal } from '@marquee/platform/runtime/sealed-box'
import type { Keyring } from './keyring.ts'

const KEY_ID_BYTES = 4

/** Which sealed value this is and whose: one made for another kind, pool or client does not open. */
export type SealedFor = {
  kind:
    | 'authorization'
    | 'device-block'
    | 'external'
    | 'external-ticket'
    | 'logout'
    | 'secret-block'
    | 'session'
    | 'sign-up'
  poolId: string
  clientId: string
}

/**
 * State handed to the client so that any process can go on from it: key id ‖ AES-256-GCM box of the JSON
 * (identity.md 3.9).
 */
export function sealValue(
  { keyring, random }: { keyring: Keyring; random: Random },
  sealedFor: SealedFor,
  value: object,
): Buffer {
  const content = Buffer.from(JSON.stringify(value), 'utf8')
  const box = seal(keyring.current('sealed-value'), contextOf(sealedFor), content, random)
  return Buffer.concat([Buffer.from(keyring.currentId, 'hex'), box])
}

/** What was sealed, or undefined if it is not ours, not whole, or meant for something else. */
export function openValue(keyring: Keyring, sealedFor: SealedFor, bytes: Uint8Array): unknown {
  const keyId = Buffer.from(bytes.subarray(0, KEY_ID_BYTES)).toString('hex')
  const key = keyring.find('sealed-value', keyId)
  const content = key && open(key, contextOf(sealedFor), bytes.subarray(KEY_ID_BYTES))
  return content && (JSON.parse(content.toString('utf8')) as unknown)
}

function contextOf({ kind, poolId, clientId }: SealedFor): string {
  return `${kind}|${poolId}|${clientId}`
}
