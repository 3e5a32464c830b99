import { hkdfSync } from 'node:crypto'

/** What a key is for. Each purpose has its own, so that no box can be passed off as one of another kind. */
export type KeyPurpose =
  | 'code'
  | 'fake-user'
  | 'refresh-rotation'
  | 'sealed-value'
  | 'signing-key'
  | 'srp-verifier'
  | 'totp'

/** Keys made from the master key, which stays outside the database (identity.md 3.11). */
export type Keyring = {
  /** Names the master key in use, 8 hex digits; rows and boxes carry it so that a later one can take over. */
  readonly currentId: string
  /** The 32-byte key for a purpose, or undefined if it belongs to a master key that is not here. */
  find: (purpose: KeyPurpose, id: string) => Buffer | undefined
  current: (purpose: KeyPurpose) => Buffer
}

export function createKeyring(masterKey: Uint8Array): Keyring {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `marquee identity: ${purpose}`, length))
  const currentId = derive('key id', 4).toString('hex')
  const keys = new Map<KeyPurpose, Buffer>()
  const current = (purpose: KeyPurpose) => {
    const key = keys.get(purpose) ?? derive(purpose, 32)
    keys.set(purpose, key)
    return key
  }
  return { currentId, current, find: (purpose, id) => (id === currentId ? current(purpose) : undefined) }
}
