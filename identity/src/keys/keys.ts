import { rotateEncryption } from './rotate-encryption.ts'
import { rotateSigning } from './rotate-signing.ts'
import { verifySealed } from './verify-sealed.ts'
import type { Pool } from '../base/ports.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random' | 'signingKeys'>

export type Keys = {
  /** Makes the next signing keys: published now, in use in an hour. `signsFrom` is an ISO time. */
  rotateSigning: () => Promise<{ kids: string[]; signsFrom: string }>
  /** Encrypts everything anew that is under an older master key; gives the number of rows. */
  rotateEncryption: () => Promise<number>
  /** Opens everything that is sealed, and gives how much that is. @throws when something does not open. */
  verifySealed: () => Promise<number>
}

export function createKeys(pool: Ports): Keys {
  return {
    rotateSigning: async () => await rotateSigning(pool),
    rotateEncryption: async () => await rotateEncryption(pool),
    verifySealed: async () => await verifySealed(pool),
  }
}
