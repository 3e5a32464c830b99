import { MAX_DRAW_SEEDS, MAX_SEEDS_PER_PERSON } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { statusOf } from './present.ts'
import { type DrawKey, insertSeed, listPrepared, listSeeds } from './store.ts'

/** A seed of a device at a movie night. Without `drawNumber`, it is for the latest prepared draw of the night. */
export type SentSeed = { nightId: string; personId: string; seed: string; drawNumber: number | undefined }

/**
 * Adds the seed of a device to a prepared draw of its night, in a transaction that holds the watchlist. Repeating the call
 * changes nothing.
 * @throws {Problem} CONFLICT if no such draw waits for its reveal; BAD_REQUEST if there are too many seeds.
 */
export async function addSeedLocked(
  trx: AnyDb,
  watchlistId: string,
  { nightId, personId, seed, drawNumber }: SentSeed,
  now: Date,
): Promise<void> {
  const draws = (await listPrepared(trx, watchlistId)).filter(
    (row) => row.night_id === nightId && statusOf(row, now) === 'prepared',
  )
  const draw = drawNumber === undefined ? draws.at(-1) : draws.find((row) => row.draw_number === drawNumber)
  if (!draw) throw new Problem('CONFLICT', 'No draw of this night waits for seeds')
  const key = { watchlistId, drawNumber: draw.draw_number }
  const sent = await listSeeds(trx, key)
  if (sent.some((row) => row.seed === seed)) return
  // One place is kept for the seed of the member who reveals the draw.
  const isFull = sent.length >= MAX_DRAW_SEEDS - 1
  if (isFull || sent.filter((row) => row.person_id === personId).length >= MAX_SEEDS_PER_PERSON) {
    throw new Problem('BAD_REQUEST', 'This draw has no room for another seed')
  }
  await insertSeed(trx, { watchlist_id: watchlistId, draw_number: key.drawNumber, seed, person_id: personId })
}

/** The seeds of a reveal, sorted: those that devices have sent, then those of the member who reveals, up to the maximum. */
export async function allSeeds(trx: AnyDb, key: DrawKey, own: readonly string[]): Promise<string[]> {
  const sent = (await listSeeds(trx, key)).map(({ seed }) => seed)
  return [...new Set([...sent, ...own])].slice(0, MAX_DRAW_SEEDS).toSorted()
}
