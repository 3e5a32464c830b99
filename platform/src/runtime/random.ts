import { randomBytes, randomInt, randomUUID } from 'node:crypto'

import { v7 } from 'uuid'

/** Chance, always from the cryptographic source. */
export type Random = {
  bytes: (length: number) => Buffer
  /** A whole number from 0 up to, not including, `limit`; every one has the same chance. */
  below: (limit: number) => number
  /** A fully random identifier (UUIDv4), for names that must not be guessed. */
  uuid: () => string
  /** An identifier that sorts by the time it was made (UUIDv7); later calls of one process sort later. */
  orderedId: () => string
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  below: (limit) => randomInt(limit),
  uuid: () => randomUUID(),
  orderedId: () => v7(),
}
