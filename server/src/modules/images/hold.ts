import type { KeyObject } from 'node:crypto'

import { Problem } from '@marquee/contract/problems'
import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'

import { imageHash } from './names.ts'
import { holdImage } from './store.ts'

/** Far longer than a request takes, from here to the commit that refers to its image. In milliseconds. */
const HELD_MS = 60 * 60_000
const ATTEMPTS = 5

type HoldPorts = { readonly database: Database<unknown>; readonly clock: Clock }

/**
 * Finds the name to keep an image under and holds it: for an hour, in which a row comes to refer to it, the sweep leaves
 * its files alone. Comes before the files are put.
 * @throws {Problem} SERVICE_UNAVAILABLE if each of its names is just being removed.
 */
export async function holdName(
  ports: HoldPorts & { readonly imageNameKey: KeyObject },
  renditions: readonly { bytes: Buffer }[],
  userId: string,
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const hash = imageHash({ key: ports.imageNameKey, userId }, renditions, attempt)
    if (await hold(ports, hash)) return hash
  }
  throw new Problem('SERVICE_UNAVAILABLE')
}

/** Holds an image as an upload does; false if it is just being removed. */
export async function hold({ database, clock }: HoldPorts, hash: string): Promise<boolean> {
  const until = new Date(clock.now().getTime() + HELD_MS).toISOString()
  return await database.transaction(async (trx) => await holdImage(trx, hash, until))
}
