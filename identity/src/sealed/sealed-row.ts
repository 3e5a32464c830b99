import type { Random } from '@marquee/platform/runtime/random'

import { open, seal } from '@marquee/platform/runtime/sealed-box'
import { StartRefusal } from '@marquee/platform/runtime/start-refusal'

import type { Keyring, KeyPurpose } from './keyring.ts'

/** A secret as the database keeps it: encrypted, with the name of the master key that opens it. */
export type SealedColumn = { box: Uint8Array; keyId: string }

/** Encrypts a secret for one row; `row` names the row, so that a box copied into another one does not open. */
export function sealForRow(
  { keyring, random }: { keyring: Keyring; random: Random },
  purpose: KeyPurpose,
  row: string,
  secret: Uint8Array,
): SealedColumn {
  const keyId = keyring.currentId
  return { box: seal(keyring.current(purpose), `${row}|${keyId}`, secret, random), keyId }
}

/** @throws when the row was altered; {StartRefusal} when the master key it was made with is not here. */
export function openFromRow(keyring: Keyring, purpose: KeyPurpose, row: string, { box, keyId }: SealedColumn): Buffer {
  const key = keyring.find(purpose, keyId)
  if (!key) {
    throw new StartRefusal(
      `The database was encrypted with another master key (${keyId}) than the one given (${keyring.currentId}). ` +
        'Give every process the one that belongs to it, as MASTER_KEY_FILE or MASTER_KEY.',
    )
  }
  const secret = open(key, `${row}|${keyId}`, box)
  if (!secret) throw new Error(`A ${purpose} in the database does not open: the row was altered`)
  return secret
}
