import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** What a key is for. Each purpose has its own, so that no box can be passed off as one of another kind. */
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

/** Keys whose work cannot be done again under another master key: what they made must still come out the same. */
export const LASTING = ['code', 'fake-user', 'identity-id', 'refresh-rotation'] as const satisfies readonly KeyPurpose[]
export type LastingPurpose = (typeof LASTING)[number]

/** Keys made from the master key, which stays outside the database (identity.md 3.11). */
export type Keyring = {
  /** Names the master key in use, 8 hex digits; rows and boxes carry it so that a later one can take over. */
  readonly currentId: string
  /** The 32-byte key for a purpose, or undefined if it belongs to a master key that is not here. */
  find: (purpose: KeyPurpose, id: string) => KeyObject | undefined
  current: (purpose: KeyPurpose) => KeyObject
}

/** The keys of the master key in use, and for opening alone those of the ones before it. */
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

/** The same keyring with the keys that outlive a master key put in. */
export function withLastingKeys(keyring: Keyring, lasting: ReadonlyMap<KeyPurpose, KeyObject>): Keyring {
  return { ...keyring, current: (purpose) => lasting.get(purpose) ?? keyring.current(purpose) }
}

function idOf(master: Uint8Array): string {
  return derive(master, 'key id', 4).toString('hex')
}

function derive(master: Uint8Array, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `marquee identity: ${purpose}`, length))
}
