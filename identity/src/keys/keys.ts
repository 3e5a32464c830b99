import type { Pool } from '../pool/pool.ts'
import { rotateEncryption } from './rotate-encryption.ts'
import { rotateSigning } from './rotate-signing.ts'

export type Keys = {
  /** Makes the next signing keys: published now, in use in an hour. `signsFrom` is an ISO time. */
  rotateSigning: () => Promise<{ kids: string[]; signsFrom: string }>
  /** Encrypts everything anew that is under an older master key; gives the number of rows. */
  rotateEncryption: () => Promise<number>
}

export function createKeys(pool: Pool): Keys {
  return {
    rotateSigning: async () => await rotateSigning(pool),
    rotateEncryption: async () => await rotateEncryption(pool),
  }
}
