import { randomBytes, randomInt, randomUUID } from 'node:crypto'

import { v7 } from 'uuid'

/** Random values from the cryptographic source. Code that needs them takes one, so that tests can choose them. */
export type Random = {
  bytes: (length: number) => Buffer
  /** A uniform integer from 0 to `limit`, exclusive. */
  below: (limit: number) => number
  /** A random identifier (UUIDv4) that cannot be guessed. */
  uuid: () => string
  /** An identifier that sorts by its creation time (UUIDv7). Later calls of one process sort later. */
  orderedId: () => string
}

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  below: (limit) => randomInt(limit),
  uuid: () => randomUUID(),
  orderedId: () => v7(),
}
