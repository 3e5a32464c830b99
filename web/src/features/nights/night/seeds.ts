import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Night } from '@marquee/contract/entities/night'

import { call } from '#web/api/call.ts'
import type { Call } from '#web/api/caller.ts'
import { randomHex } from '#web/api/idempotency.ts'
import { useLiveEvents } from '#web/api/live.ts'

const SEED_BYTES = 32

/** The seeds of this device, by draw: the device that reveals a draw counts once. */
const seeds = new Map<string, string>()

/** The random seed of this device for a prepared draw. It is made after the server has committed to the draw. */
export function ownSeed(nightId: string, drawNumber: number): string {
  const key = `${nightId} ${drawNumber}`
  const seed = seeds.get(key) ?? randomHex(SEED_BYTES)
  seeds.set(key, seed)
  return seed
}

/** Adds the seed of this device to a prepared draw, as a member or a guest. */
export function sendSeed(caller: Call, nightId: string, drawNumber: number): void {
  const body = { seed: ownSeed(nightId, drawNumber), drawNumber }
  // A seed that comes after the reveal is not needed.
  caller(ENDPOINTS.addSeed, { params: { nightId }, body }).catch(() => undefined)
}

/** Adds a seed of this device to each draw that is prepared while its user is at the night. */
export function useSeeds(night: Night, isHere: boolean): void {
  useLiveEvents(night.watchlistId, {
    onEvent: ({ drawNumber }) => {
      if (isHere && drawNumber !== undefined) sendSeed(call, night.id, drawNumber)
    },
  })
}
