import { LONGEST_PAUSE_MS, startDeliveries } from '@marquee/platform/queue/deliveries'
import type { Queue } from '@marquee/platform/queue/queue'

import { dropMark, finishMark, type SendingPorts, sendMark } from './sending.ts'
import { holdMarks, WAITING_MARKS } from './mark-store.ts'
import { changeLink, endLink, findLink, type LinkRow, type MarkRow } from './store.ts'
import { keyOf } from './token.ts'

const PARALLEL = 4

/** Tells media servers what their linked users have seen here. What cannot be sent waits until the server answers. */
export function startMarkQueue(ports: SendingPorts): Queue {
  const { logger } = ports
  return startDeliveries<MarkRow, LinkRow>(ports, {
    name: 'marks of media servers',
    table: WAITING_MARKS,
    parallel: PARALLEL,
    longestWaitMs: LONGEST_PAUSE_MS,
    findTarget: async (db, mark) => await findLink(db, keyOf(mark)),
    send: async (mark, link, stopping) => await sendMark(ports, mark, link, stopping),
    onDelivered: async (trx, mark, link) => {
      await finishMark(trx, ports, mark, mark.wanted)
      if (link.failures > 0) await changeLink(trx, keyOf(link), { failures: 0, failing_since: null, retry_at: 0 })
    },
    onDropped: async (trx, mark) => await dropMark(trx, ports, mark),
    // However long it fails: an outage loses nothing.
    onFailed: async (trx, _mark, link, { failures, since, retryAt }) => {
      if (failures === 1) logger.info({ serverId: link.server_id }, 'a mark could not be sent to a media server')
      await changeLink(trx, keyOf(link), { failures, failing_since: since, retry_at: retryAt })
    },
    onEnded: async (trx, _mark, link) => {
      // The member may have linked again while the answer to the earlier token was on its way.
      if (!(await endLink(trx, link))) return
      await holdMarks(trx, link)
      logger.warn({ serverId: link.server_id }, 'a media server no longer accepts the token of a user')
    },
  })
}
