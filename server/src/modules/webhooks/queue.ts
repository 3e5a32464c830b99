import type { KeyObject } from 'node:crypto'

import { WEBHOOK_LOG_LENGTH } from '@marquee/contract/limits'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { guardedPost, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Clock } from '@marquee/platform/runtime/clock'
import { startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import { activityOf, type ActivityRow, insertActivity } from '../activities/service.ts'
import { postOf } from './message.ts'
import { newsOf } from './news.ts'
import { openTarget, sealTarget } from './service.ts'
import {
  claimDelivery,
  type DeliveryRow,
  dropWaiting,
  failWebhook,
  findWebhook,
  listWebhookRows,
  moveWaiting,
  nextDueAt,
  saveDelivery,
  saveWebhook,
  trimLog,
  type WebhookKey,
  type WebhookRow,
} from './store.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const PARALLEL = 4
const TIMEOUT_MS = 10 * SECOND_MS
/** Longer than one attempt takes. After this time another process takes the message of a process that died. */
const CLAIM_MS = MINUTE_MS
/** The pauses after failures; the last one repeats. */
const RETRY_AFTER_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
/** A message is not sent again after this time. */
const MESSAGE_LASTS_MS = DAY_MS
const MAX_WAITING = 100
/** A webhook that failed so often without a success, or for so long, is switched off. */
const MAX_FAILURES = 100
const MAX_FAILING_MS = 3 * DAY_MS
const OUTAGE_MS = 30 * SECOND_MS
/** The receiver says that it will never accept messages again. */
const GONE = 410

export type WebhookQueuePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly publicUrl: string
  readonly userAgent: string
  readonly webhookKeys: readonly KeyObject[]
  /** Has the activities announced that were recorded. */
  readonly wakeActivities: () => void
  /** Differences from the public internet, for tests. */
  readonly webhookFetch?: Partial<GuardedFetchOptions>
}

type Claimed = { readonly delivery: DeliveryRow; readonly webhook: WebhookRow | undefined }

/**
 * Sends the messages of webhooks, at least once each. Messages are rows, so they survive the process. While a webhook
 * fails, only its oldest message is tried, and the others wait with it.
 */
export function startWebhookQueue(ports: WebhookQueuePorts) {
  const { database, clock, logger } = ports
  const toTrim = new Set<string>()
  const now = () => clock.now().getTime()

  async function claim(): Promise<Claimed | undefined> {
    const until = now() + CLAIM_MS
    return await database.transaction(async (trx) => {
      const delivery = await claimDelivery(trx, { now: now(), until })
      if (!delivery) return undefined
      const webhook = await findWebhook(trx, keyOf(delivery))
      if (webhook && webhook.failures > 0) await moveWaiting(trx, keyOf(delivery), until)
      return { delivery, webhook }
    })
  }

  /** The status of the answer; null if there is none, `gone` if there is nothing to send. */
  async function send(
    { delivery, webhook }: Claimed & { webhook: WebhookRow },
    stopping: AbortSignal,
  ): Promise<number | null | 'gone'> {
    const target = openTarget(ports, keyOf(delivery), webhook.target)
    const news = await newsOf(database.read, delivery, ports.publicUrl)
    if (!news) return 'gone'
    if (!target) return GONE
    if (target.isOld) await reseal(keyOf(delivery), target)
    const { format } = webhook
    const post = postOf(news, { format, secret: target.secret, id: `msg_${delivery.id}`, now: clock.now() })
    try {
      return await guardedPost(target.url, post, {
        timeoutMs: TIMEOUT_MS,
        signal: stopping,
        userAgent: ports.userAgent,
        ...ports.webhookFetch,
      })
    } catch (error) {
      if (error instanceof RefusedUrl) return null
      throw error
    }
  }

  async function reseal(key: WebhookKey, { url, secret }: { url: string; secret: string | null }): Promise<void> {
    await database.transaction(async (trx) => {
      await saveWebhook(trx, key, { target: sealTarget(ports, key, { url, secret }) })
    })
  }

  async function finish(trx: AnyDb, delivery: DeliveryRow, state: DeliveryRow['state'], status: number | null) {
    await saveDelivery(trx, delivery, { state, status, due_at: null })
    await trimLog(trx, keyOf(delivery), WEBHOOK_LOG_LENGTH)
  }

  function switchedOff({ watchlist_id: watchlistId, creator_id: creatorId }: WebhookRow): ActivityRow {
    const at = clock.now().toISOString()
    return activityOf(ports, { kind: 'webhook-off', watchlistId, recipientId: creatorId ?? undefined, by: null, at })
  }

  async function noteFailure(delivery: DeliveryRow, webhook: WebhookRow, status: number | null): Promise<void> {
    const key = keyOf(delivery)
    const failures = webhook.failures + 1
    const since = webhook.failing_since ?? now()
    const isOver = status === GONE || failures >= MAX_FAILURES || now() - since >= MAX_FAILING_MS
    const retryAt = now() + (RETRY_AFTER_MS[failures - 1] ?? HOUR_MS)
    const isLate = retryAt - Date.parse(delivery.created_at) > MESSAGE_LASTS_MS
    const { host } = webhook
    logger.info({ host, status, failures, ...key }, 'a webhook failed')
    await database.transaction(async (trx) => {
      await saveWebhook(trx, key, { failures, failing_since: since, retry_at: retryAt })
      if (isOver && (await failWebhook(trx, key))) await insertActivity(trx, switchedOff(webhook))
      if (isOver || isLate) await finish(trx, delivery, 'failed', status)
      else await saveDelivery(trx, delivery, { state: 'waiting', status, due_at: retryAt })
      if (isOver) await dropWaiting(trx, key, 0)
      else await moveWaiting(trx, key, retryAt)
    })
    if (!isOver) return
    logger.warn({ host, failures, ...key }, 'a webhook was switched off because it failed')
    ports.wakeActivities()
  }

  async function deliver({ delivery, webhook }: Claimed, stopping: AbortSignal): Promise<void> {
    const key = keyOf(delivery)
    if (webhook?.state !== 'on') {
      await database.transaction(async (trx) => await finish(trx, delivery, 'dropped', null))
      return
    }
    const status = await send({ delivery, webhook }, stopping)
    if (stopping.aborted && status === null) {
      await database.transaction(async (trx) => {
        await saveDelivery(trx, delivery, { state: 'waiting', status: delivery.status, due_at: now() })
      })
      return
    }
    if (status !== 'gone' && (status === null || status < 200 || status > 299)) {
      await noteFailure(delivery, webhook, status)
      return
    }
    await database.transaction(async (trx) => {
      await finish(trx, delivery, status === 'gone' ? 'dropped' : 'delivered', status === 'gone' ? null : status)
      if (webhook.failures === 0) return
      if (status !== 'gone') await saveWebhook(trx, key, { failures: 0, failing_since: null, retry_at: 0 })
      await moveWaiting(trx, key, now())
    })
  }

  /** Bounds what waits and what is kept, also of webhooks that wait for their next attempt. */
  async function trim(): Promise<void> {
    for (const watchlistId of toTrim) {
      toTrim.delete(watchlistId)
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
  }

  async function sendDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const claimed = await claim()
      if (!claimed) return
      await deliver(claimed, stopping)
    }
  }

  const queue = startDueWork({
    clock,
    work: async (stopping) => {
      await trim()
      // Wait for all, so that none is running when the queue stops.
      const ended = await Promise.allSettled(Array.from({ length: PARALLEL }, async () => await sendDue(stopping)))
      for (const end of ended) if (end.status === 'rejected') throw end.reason
      return await nextDueAt(database.read)
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the queue of the webhooks failed')
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

function keyOf({ watchlist_id: watchlistId, webhook_id: webhookId }: DeliveryRow): WebhookKey {
  return { watchlistId, webhookId }
}
