import { WEBHOOK_LOG_LENGTH } from '@marquee/contract/limits'
import { LONGEST_PAUSE_MS, startDeliveries } from '@marquee/platform/queue/deliveries'
import type { Queue } from '@marquee/platform/queue/queue'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import { type DeliveryPorts, finish, keyOf, noteFailure, noteSuccess, send, switchOff } from './delivery.ts'
import {
  countWaiting,
  type DeliveryRow,
  dropWaiting,
  findWebhook,
  listWebhookRows,
  trimLog,
  WAITING_DELIVERIES,
  type WebhookRow,
} from './store.ts'

const PARALLEL = 8
const MAX_WAITING = 100
/** A webhook that fails this often without a success, or for so long, is switched off. */
const MAX_FAILURES = 100
const MAX_FAILING_MS = 3 * DAY_MS

/** Sends the messages of webhooks, at least once each. Messages are rows, so they survive the process. */
export function startWebhookQueue(ports: DeliveryPorts): { stop: Queue['stop']; wake: (watchlistId?: string) => void } {
  const { logger } = ports
  const toTrim = new Set<string>()
  const queue = startDeliveries<DeliveryRow, WebhookRow>(ports, {
    name: 'webhooks',
    table: WAITING_DELIVERIES,
    parallel: PARALLEL,
    longestWaitMs: LONGEST_PAUSE_MS,
    beforeWork: async () => {
      for (const watchlistId of toTrim) {
        toTrim.delete(watchlistId)
        await trim(ports, watchlistId)
      }
    },
    findTarget: async (db, delivery) => await findWebhook(db, keyOf(delivery)),
    send: async (delivery, webhook, stopping) => await send(ports, delivery, webhook, stopping),
    isOver: ({ failures, since }, now) => failures >= MAX_FAILURES || now - since >= MAX_FAILING_MS,
    onDelivered: noteSuccess,
    onDropped: async (trx, delivery) => await finish(trx, delivery, 'dropped', null),
    onFailed: async (trx, delivery, { host }, failure) => {
      const { status, failures } = failure
      logger.info({ host, status, failures, ...keyOf(delivery) }, 'a webhook failed')
      await noteFailure(trx, delivery, failure)
    },
    onEnded: async (trx, delivery, webhook, failure) => await switchOff(trx, ports, { delivery, webhook, failure }),
    afterEnd: (delivery, { host }, { failures }) => {
      logger.warn({ host, failures, ...keyOf(delivery) }, 'a webhook was switched off because it failed')
      // It has no live event, but its activity waits.
      const at = ports.clock.now().toISOString()
      ports.facts.publish([{ name: 'webhook.switched-off', watchlistId: delivery.watchlist_id, by: null, at }])
    },
  })
  return {
    stop: queue.stop,
    /** Starts to send. Names the watchlist if events were added to it. */
    wake: (watchlistId) => {
      if (watchlistId !== undefined) toTrim.add(watchlistId)
      queue.wake()
    },
  }
}

/** Bounds what waits for webhooks that fail, or are slow, and what is kept of it. */
async function trim({ database, logger }: DeliveryPorts, watchlistId: string): Promise<void> {
  for (const { id: webhookId } of await listWebhookRows(database.read, watchlistId)) {
    const key = { watchlistId, webhookId }
    if ((await countWaiting(database.read, key)) <= MAX_WAITING) continue
    const dropped = await database.transaction(async (trx) => {
      const count = await dropWaiting(trx, key, MAX_WAITING)
      await trimLog(trx, key, WEBHOOK_LOG_LENGTH)
      return count
    })
    // Another process may have dropped them.
    if (dropped > 0) logger.info({ dropped, ...key }, 'the oldest messages that waited for a webhook were dropped')
  }
}
