import type { KeyObject } from 'node:crypto'

import { WEBHOOK_LOG_LENGTH } from '@marquee/contract/limits'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { guardedPost, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import { activityOf, insertActivity } from '../activities/service.ts'
import { postOf } from './message.ts'
import { newsOf } from './news.ts'
import { openTarget, sealTarget } from './service.ts'
import {
  claimDelivery,
  type DeliveryRow,
  dropWaiting,
  failWebhook,
  findWebhook,
  moveWaiting,
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

const TIMEOUT_MS = 10 * SECOND_MS
/** Longer than one attempt takes. After this time another process takes the message of a process that died. */
const CLAIM_MS = MINUTE_MS
/** The pauses after failures; the last one repeats. */
const RETRY_AFTER_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
/** A message is not sent again after this time. */
const MESSAGE_LASTS_MS = DAY_MS
/** A webhook that failed so often without a success, or for so long, is switched off. */
const MAX_FAILURES = 100
const MAX_FAILING_MS = 3 * DAY_MS
/** The receiver says that it will never accept messages again. */
const GONE = 410

export type DeliveryPorts = {
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

/** A message that no other process takes for a while. */
type Claimed = { readonly delivery: DeliveryRow; readonly webhook: WebhookRow }

/** Claims the message that has been due longest. */
export async function claim({ database, clock }: DeliveryPorts): Promise<Claimed | undefined> {
  const now = clock.now().getTime()
  const until = now + CLAIM_MS
  return await database.transaction(async (trx) => {
    const delivery = await claimDelivery(trx, { now, until })
    const webhook = delivery && (await findWebhook(trx, keyOf(delivery)))
    if (!webhook) return undefined
    if (webhook.failures > 0) await moveWaiting(trx, keyOf(delivery), until)
    return { delivery, webhook }
  })
}

/** Sends a claimed message and saves the outcome. */
export async function deliver(ports: DeliveryPorts, claimed: Claimed, stopping: AbortSignal): Promise<void> {
  const { delivery, webhook } = claimed
  if (webhook.state !== 'on') return await drop(ports, claimed)
  const status = await send(ports, claimed, stopping)
  if (status === 'nothing to send') return await drop(ports, claimed)
  if (status === null && stopping.aborted) return await giveBack(ports, delivery)
  if (status === null || status < 200 || status > 299) return await noteFailure(ports, claimed, status)
  await noteSuccess(ports, claimed, status)
}

/** The status of the answer; null if there is none. */
async function send(
  ports: DeliveryPorts,
  { delivery, webhook }: Claimed,
  stopping: AbortSignal,
): Promise<number | null | 'nothing to send'> {
  const key = keyOf(delivery)
  const target = openTarget(ports, key, webhook.target)
  const news = await newsOf(ports.database.read, delivery, ports.publicUrl)
  if (!news) return 'nothing to send'
  if (!target) return GONE
  const { url, secret } = target
  if (target.isOld) {
    await ports.database.transaction(async (trx) => {
      await saveWebhook(trx, key, { target: sealTarget(ports, key, { url, secret }) })
    })
  }
  const post = postOf(news, { format: webhook.format, secret, id: `msg_${delivery.id}`, now: ports.clock.now() })
  try {
    return await guardedPost(url, post, {
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

async function giveBack({ database, clock }: DeliveryPorts, delivery: DeliveryRow): Promise<void> {
  await database.transaction(async (trx) => {
    await saveDelivery(trx, delivery, { state: 'waiting', status: delivery.status, due_at: clock.now().getTime() })
  })
}

async function drop({ database, clock }: DeliveryPorts, { delivery, webhook }: Claimed): Promise<void> {
  await database.transaction(async (trx) => {
    await finish(trx, delivery, 'dropped', null)
    if (webhook.failures > 0) await moveWaiting(trx, keyOf(delivery), clock.now().getTime())
  })
}

async function noteSuccess(
  { database, clock }: DeliveryPorts,
  { delivery, webhook }: Claimed,
  status: number,
): Promise<void> {
  const key = keyOf(delivery)
  await database.transaction(async (trx) => {
    await finish(trx, delivery, 'delivered', status)
    if (webhook.failures === 0) return
    await saveWebhook(trx, key, { failures: 0, failing_since: null, retry_at: 0 })
    await moveWaiting(trx, key, clock.now().getTime())
  })
}

async function noteFailure(ports: DeliveryPorts, { delivery, webhook }: Claimed, status: number | null): Promise<void> {
  const { clock, logger } = ports
  const key = keyOf(delivery)
  const now = clock.now().getTime()
  const { host } = webhook
  const failures = webhook.failures + 1
  const since = webhook.failing_since ?? now
  const isOver = status === GONE || failures >= MAX_FAILURES || now - since >= MAX_FAILING_MS
  const retryAt = now + (RETRY_AFTER_MS[failures - 1] ?? HOUR_MS)
  const isLate = retryAt - Date.parse(delivery.created_at) > MESSAGE_LASTS_MS
  logger.info({ host, status, failures, ...key }, 'a webhook failed')
  await ports.database.transaction(async (trx) => {
    await saveWebhook(trx, key, { failures, failing_since: since, retry_at: retryAt })
    if (isOver || isLate) await finish(trx, delivery, 'failed', status)
    else await saveDelivery(trx, delivery, { state: 'waiting', status, due_at: retryAt })
    if (isOver) await switchOff(trx, ports, webhook)
    else await moveWaiting(trx, key, retryAt)
  })
  if (!isOver) return
  logger.warn({ host, failures, ...key }, 'a webhook was switched off because it failed')
  ports.wakeActivities()
}

async function switchOff(trx: AnyDb, ports: DeliveryPorts, webhook: WebhookRow): Promise<void> {
  const { watchlist_id: watchlistId, creator_id: creatorId, id: webhookId } = webhook
  const at = ports.clock.now().toISOString()
  if (await failWebhook(trx, { watchlistId, webhookId })) {
    const recipientId = creatorId ?? undefined
    await insertActivity(trx, activityOf(ports, { kind: 'webhook-off', watchlistId, recipientId, by: null, at }))
  }
  await dropWaiting(trx, { watchlistId, webhookId }, 0)
}

async function finish(trx: AnyDb, delivery: DeliveryRow, state: DeliveryRow['state'], status: number | null) {
  await saveDelivery(trx, delivery, { state, status, due_at: null })
  await trimLog(trx, keyOf(delivery), WEBHOOK_LOG_LENGTH)
}

function keyOf({ watchlist_id: watchlistId, webhook_id: webhookId }: DeliveryRow): WebhookKey {
  return { watchlistId, webhookId }
}
