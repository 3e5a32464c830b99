import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

import type { Random } from '@marquee/platform/runtime/random'
import { open, seal } from '@marquee/platform/runtime/sealed-box'
import { Refusal } from '@marquee/platform/runtime/refusal'

/** The purpose of a key. Each has its own key, so that a value of one kind is not accepted as another. */
export type KeyPurpose =
  | 'code'
  | 'device-verifier'
  | 'fake-user'
  | 'identity-id'
  | 'lasting-key'
  | 'refresh-rotation'
  | 'sealed-value'
  | 'signing-key'
  | 'srp-verifier'
  | 'totp'

/** Keys that must survive a change of the master key, because their results must stay the same. */
export const LASTING = ['code', 'fake-user', 'identity-id', 'refresh-rotation'] as const satisfies readonly KeyPurpose[]
export type LastingPurpose = (typeof LASTING)[number]

/** Keys made from the master key, which stays outside the database. */
export type Keyring = {
  /** Identifies the current master key, 8 hex digits; sealed rows and values carry it. */
  readonly currentId: string
  /** The 32-byte key for a purpose; undefined if its master key is not configured. */
  find: (purpose: KeyPurpose, id: string) => KeyObject | undefined
  current: (purpose: KeyPurpose) => KeyObject
}

/** The keys of the current master key, and of earlier ones only for opening. */
export function createKeyring(masterKey: Uint8Array, previous: readonly Uint8Array[] = []): Keyring {
  const currentId = idOf(masterKey)
  const masters = new Map([...previous, masterKey].map((master) => [idOf(master), master]))
  const keys = new Map<string, KeyObject>()
  const find = (purpose: KeyPurpose, id: string) => {
    const master = masters.get(id)
    if (!master) return undefined
    const name = `${id} ${purpose}`
    const key = keys.get(name) ?? createSecretKey(derive(master, purpose, 32))
    keys.set(name, key)
    return key
  }
  const current = (purpose: KeyPurpose) => {
    const key = find(purpose, currentId)
    if (!key) throw new Error('The master key in use is always there')
    return key
  }
  return { currentId, current, find }
}

/** The keyring with the keys that stay the same under a new master key. */
export function withLastingKeys(keyring: Keyring, lasting: ReadonlyMap<KeyPurpose, KeyObject>): Keyring {
  return { ...keyring, current: (purpose) => lasting.get(purpose) ?? keyring.current(purpose) }
}

function idOf(master: Uint8Array): string {
  return derive(master, 'key id', 4).toString('hex')
}

function derive(master: Uint8Array, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `marquee identity: ${purpose}`, length))
}

/** A secret as it is stored: encrypted, with the id of its master key. */
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

/** @throws when the row was altered; {Refusal} when the master key it was made with is not here. */
export function openFromRow(keyring: Keyring, purpose: KeyPurpose, row: string, { box, keyId }: SealedColumn): Buffer {
  const key = keyring.find(purpose, keyId)
  if (!key) {
    throw new Refusal(
      `The database was encrypted with another master key (${keyId}) than the one given (${keyring.currentId}). ` +
        'Give every process the one that belongs to it, as MASTER_KEY_FILE or MASTER_KEY.',
    )
  }
  const secret = open(key, `${row}|${keyId}`, box)
  if (!secret) throw new Error(`A ${purpose} in the database does not open: the row was altered`)
  return secret
}
