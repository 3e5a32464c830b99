import type { AnyDb } from '@marquee/platform/database/database'
import { startQueue } from '@marquee/platform/queue/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import { MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import { copy, type CopyPorts, LONGEST_PAUSE_MS, nextOfCatalogue } from './copying.ts'
import { FROM_CATALOGUE, type PosterRequest, type Posters } from './service.ts'
import { addMissingRequests, addRequest, addRequests, type RequestRow, WAITING_REQUESTS } from './store.ts'

const PARALLEL = 3
/** A host that hangs for 15 seconds delays no poster at another. */
const SLOW = { afterMs: 2 * SECOND_MS, most: 12 }
/** Longer than one copy takes. After this time another process takes the request of a process that died. */
const CLAIM_MS = 2 * MINUTE_MS
const OUTAGE_MS = 30 * SECOND_MS
const LOOK_FOR_MISSING_MS = 60 * SECOND_MS
const BATCH = 100

/**
 * Copies posters from their address to our own store, and finds posters of imported movies in the catalogue. Requests are
 * rows, so they survive the process. Copying twice does no harm.
 */
export function startPosterQueue(ports: CopyPorts): Posters & { stop: () => Promise<void> } {
  const { database, clock } = ports
  let lookForMissingAt = 0

  /** Requests copies for cards of earlier versions, a few at a time, after everything that is due. */
  async function addMissing(): Promise<boolean> {
    const now = clock.now()
    if (now.getTime() < lookForMissingAt) return false
    const added = await database.transaction(async (trx) => await addMissingRequests(trx, { now, limit: BATCH }))
    if (added === 0) lookForMissingAt = clock.now().getTime() + LOOK_FOR_MISSING_MS
    return added > 0
  }

  const queue = startQueue<RequestRow>(ports, {
    name: 'posters',
    table: WAITING_REQUESTS,
    parallel: PARALLEL,
    slow: SLOW,
    perOwner: PARALLEL,
    claimMs: CLAIM_MS,
    retryMs: OUTAGE_MS,
    longestWaitMs: LONGEST_PAUSE_MS,
    whenIdle: addMissing,
    perform: async ([row], work) => await copy(ports, row, work),
  })

  return {
    ...queue,
    requestPictures: async (trx, card, cardIds) => {
      if (ports.findPicture) await requestPictures(clock, trx, card, cardIds)
    },
    request: (trx, poster) => addRequest.send(trx, { ...poster, dueAt: clock.now().getTime() }),
  }
}

/** Has the catalogue find posters, politely: a second for each, after those that wait already. */
export async function requestPictures(
  clock: Clock,
  trx: AnyDb,
  { watchlistId, userId }: Pick<PosterRequest, 'watchlistId' | 'userId'>,
  cardIds: readonly string[],
): Promise<void> {
  const first = await nextOfCatalogue(trx, { clock }, watchlistId)
  const requests = cardIds.map((cardId, index) => ({
    watchlistId,
    cardId,
    userId,
    url: FROM_CATALOGUE,
    dueAt: first + index * SECOND_MS,
  }))
  await addRequests(trx, requests)
}
