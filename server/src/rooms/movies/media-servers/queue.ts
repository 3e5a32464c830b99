import { type Queue, type QueuePorts, startQueue } from '@marquee/platform/queue/queue'
import { MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { READ_EVERY_MS, type ReadingPorts, readServer } from './reading.ts'
import { deleteList, type ListRow, REMOVED_LISTS, removeMovies, type ServerRow, WAITING_READINGS } from './store.ts'

const PARALLEL = 2
/** A server that hangs delays no other. Each may hold a page of 4 MB. */
const SLOW = { afterMs: 2 * SECOND_MS, most: 12 }
/** A reading renews its claim. After this time another process takes the reading of one that died. */
const CLAIM_MS = 2 * MINUTE_MS
const RENEW_MS = 30 * SECOND_MS
const OUTAGE_MS = 30 * SECOND_MS
/** This many rows take a few milliseconds. */
const BATCH = 250

/** Reads the lists of media servers when they are due, and removes lists that no longer count. */
export function startMediaQueue(ports: Omit<ReadingPorts, 'wakeRemovals'>): Queue {
  const removals = startListRemovals(ports)
  const readings = startQueue<ServerRow>(ports, {
    name: 'media servers',
    table: WAITING_READINGS,
    parallel: PARALLEL,
    slow: SLOW,
    perOwner: PARALLEL,
    claimMs: CLAIM_MS,
    renewMs: RENEW_MS,
    retryMs: OUTAGE_MS,
    longestWaitMs: READ_EVERY_MS,
    perform: async ([row], work) => await readServer({ ...ports, wakeRemovals: removals.wake }, row, work),
  })
  return {
    wake: () => {
      readings.wake()
      removals.wake()
    },
    stop: async () => {
      await readings.stop()
      await removals.stop()
    },
  }
}

/** Removes the movies of lists in small transactions, so that a large list holds up no request. Twice does no harm. */
function startListRemovals(ports: QueuePorts): Queue {
  const { database, clock } = ports
  return startQueue<ListRow>(ports, {
    name: 'lists of media servers',
    table: REMOVED_LISTS,
    parallel: 1,
    claimMs: CLAIM_MS,
    retryMs: OUTAGE_MS,
    longestWaitMs: OUTAGE_MS,
    perform: async ([list], { stopping, release }) => {
      let hasMore = true
      while (hasMore && !stopping.aborted) {
        await nextTurn()
        hasMore = await database.transaction(async (trx) => await removeMovies(trx, list, BATCH))
      }
      await database.transaction(async (trx) => {
        if (hasMore) await release(trx, list, clock.now().getTime())
        else await deleteList(trx, list)
      })
    },
  })
}
