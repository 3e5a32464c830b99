import { type Queue, startQueue } from '@marquee/platform/queue/queue'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import { type FollowingPorts, followRequest } from './following.ts'
import { OPEN_REQUESTS, type RequestRow } from './store.ts'

const PARALLEL = 2
/** A server that hangs delays no other. */
const SLOW = { afterMs: 2 * SECOND_MS, most: 20 }
/** Longer than a request takes. */
const CLAIM_MS = 2 * MINUTE_MS
const OUTAGE_MS = 30 * SECOND_MS

/** Sends what was asked for, and looks what became of it. Twice does no harm: the server is asked before it gets a request. */
export function startRequestQueue(ports: FollowingPorts): Queue {
  return startQueue<RequestRow>(ports, {
    name: 'movie requests',
    table: OPEN_REQUESTS,
    parallel: PARALLEL,
    slow: SLOW,
    claimMs: CLAIM_MS,
    retryMs: OUTAGE_MS,
    longestWaitMs: DAY_MS,
    perform: async ([row], work) => await followRequest(ports, row, work),
  })
}
