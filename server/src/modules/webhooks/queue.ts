import { WEBHOOK_LOG_LENGTH } from '@marquee/contract/limits'
import { handleDue, startDueWork } from '@marquee/platform/runtime/due-work'

import { claim, deliver, type DeliveryPorts } from './delivery.ts'
import { dropWaiting, listWebhookRows, nextDueAt, trimLog } from './store.ts'

const PARALLEL = 4
const MAX_WAITING = 100
const OUTAGE_MS = 30_000

/**
 * Sends the messages of webhooks, at least once each. Messages are rows, so they survive the process. While a webhook
 * fails, only its oldest message is tried, and the others wait with it.
 */
export function startWebhookQueue(ports: DeliveryPorts) {
  const toTrim = new Set<string>()
  const queue = startDueWork({
    clock: ports.clock,
    work: async (stopping) => {
      for (const watchlistId of toTrim) {
        toTrim.delete(watchlistId)
        await trim(ports, watchlistId)
      }
      await handleDue(
        { parallel: PARALLEL, stopping },
        async () => await claim(ports),
        async (claimed) => await deliver(ports, claimed, stopping),
      )
      return await nextDueAt(ports.database.read)
    },
    onFailure: (error) => {
      ports.logger.error({ err: error }, 'the queue of the webhooks failed')
    },
    retryMs: OUTAGE_MS,
  })
  return {
    stop: queue.stop,
    /** Starts to send. Names the watchlist if events were added to it. */
    wake: (watchlistId?: string) => {
      if (watchlistId !== undefined) toTrim.add(watchlistId)
      queue.wake()
    },
  }
}

/** Bounds what waits and what is kept of webhooks that wait for their next attempt. */
async function trim({ database, logger }: DeliveryPorts, watchlistId: string): Promise<void> {
  const failing = (await listWebhookRows(database.read, watchlistId)).filter(({ failures }) => failures > 0)
  for (const { id: webhookId } of failing) {
    const key = { watchlistId, webhookId }
    const dropped = await database.transaction(async (trx) => {
      const count = await dropWaiting(trx, key, MAX_WAITING)
      await trimLog(trx, key, WEBHOOK_LOG_LENGTH)
      return count
    })
    if (dropped > 0) logger.info({ dropped, ...key }, 'the oldest messages of a failing webhook were dropped')
  }
}
