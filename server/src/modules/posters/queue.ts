import type { AnyDb } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { handleDue, startDueWork } from '@marquee/platform/runtime/due-work'

import { claim, copy, type CopyPorts } from './copying.ts'
import { FROM_CATALOGUE, type PosterRequest, type Posters } from './service.ts'
import { addMissingRequests, addRequest, addRequests, lastDueAt, nextDueAt } from './store.ts'

const SECOND_MS = 1_000
const PARALLEL = 3
const OUTAGE_MS = 30 * SECOND_MS
const LOOK_FOR_MISSING_MS = 60 * SECOND_MS
const BATCH = 100

/**
 * Copies posters from their address to our own store, and finds posters of imported movies in the catalogue. Requests are
 * rows, so they survive the process. A process claims a request for a while; copying twice does no harm.
 */
export function startPosterQueue(ports: CopyPorts): Posters & { stop: () => Promise<void> } {
  const { database, clock, logger } = ports
  let lookForMissingAt = 0

  /** Requests copies for cards of earlier versions, a few at a time, after everything that is due. */
  async function addMissing(): Promise<boolean> {
    const now = clock.now()
    if (now.getTime() < lookForMissingAt) return false
    const added = await database.transaction(async (trx) => await addMissingRequests(trx, { now, limit: BATCH }))
    if (added === 0) lookForMissingAt = clock.now().getTime() + LOOK_FOR_MISSING_MS
    return added > 0
  }

  const queue = startDueWork({
    clock,
    work: async (stopping) => {
      do {
        await handleDue(
          { parallel: PARALLEL, stopping },
          async () => await claim(ports),
          async (poster) => await copy(ports, poster, stopping),
        )
      } while (!stopping.aborted && (await addMissing()))
      return await nextDueAt(database.read)
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the poster queue failed')
    },
    retryMs: OUTAGE_MS,
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
  const last = (await lastDueAt(trx, watchlistId, FROM_CATALOGUE)) ?? 0
  const first = Math.max(clock.now().getTime(), last + SECOND_MS)
  const requests = cardIds.map((cardId, index) => ({
    watchlistId,
    cardId,
    userId,
    url: FROM_CATALOGUE,
    dueAt: first + index * SECOND_MS,
  }))
  await addRequests(trx, requests)
}
