import type { KeyObject } from 'node:crypto'

import { Problem } from '@marquee/contract/problems'
import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'

import { imageHash } from './names.ts'
import { holdImage } from './store.ts'

/** Far longer than a request takes until the commit that refers to its image. */
const HELD_MS = 60 * 60_000
const ATTEMPTS = 5

type HoldPorts = { readonly database: Database<unknown>; readonly clock: Clock }

/**
 * Chooses the name of an image and holds it for an hour, before its files are put: the sweep leaves a held image alone
 * until a row refers to it.
 * @throws {Problem} SERVICE_UNAVAILABLE if images of all its names are being removed.
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

/** Holds an image for an hour; false if it is being removed. */
export async function hold({ database, clock }: HoldPorts, hash: string): Promise<boolean> {
  const until = new Date(clock.now().getTime() + HELD_MS).toISOString()
  return await database.transaction(async (trx) => await holdImage(trx, hash, until))
}
