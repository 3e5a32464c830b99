import type { KeyObject } from 'node:crypto'

import { WEBHOOK_LOG_LENGTH } from '@marquee/contract/limits'
import type { AnyDb } from '@marquee/platform/database/database'
import { guardedPost, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import { type Answer, type Failure, MESSAGE_LASTS_MS } from '@marquee/platform/queue/deliveries'
import type { QueuePorts } from '@marquee/platform/queue/queue'

import { type ChangePorts, recordFacts } from '../../club/watchlists/service.ts'
import { postOf } from './message.ts'
import { contentOf } from './content.ts'
import { openTarget } from './service.ts'
import {
  type DeliveryRow,
  dropWaiting,
  failWebhook,
  saveDelivery,
  saveWebhook,
  trimLog,
  type WebhookKey,
  type WebhookRow,
} from './store.ts'

const TIMEOUT_MS = 10_000
/** The receiver says that it will never accept messages again. */
const GONE = 410

export type DeliveryPorts = QueuePorts &
  Pick<ChangePorts, 'facts'> & {
    readonly publicUrl: string
    readonly userAgent: string
    readonly webhookKeys: readonly KeyObject[]
    /** Differences from the public internet, for tests. */
    readonly webhookFetch?: Partial<GuardedFetchOptions>
  }

/** Sends one message. */
export async function send(
  ports: DeliveryPorts,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  stopping: AbortSignal,
): Promise<Answer> {
  if (webhook.state !== 'on') return { what: 'dropped' }
  const target = openTarget({ keys: ports.webhookKeys }, keyOf(delivery), webhook.target)
  const now = ports.clock.now()
  if (Date.parse(delivery.created_at) <= now.getTime() - MESSAGE_LASTS_MS) return { what: 'dropped' }
  const content = await contentOf(ports.database.read, delivery, { publicUrl: ports.publicUrl, now: now.toISOString() })
  if (!content) return { what: 'dropped' }
  if (!target) return { what: 'ended', status: GONE }
  const { url, secret } = target
  const post = postOf(content, { format: webhook.format, secret, id: `msg_${delivery.id}`, now })
  try {
    const status = await guardedPost(url, post, {
      timeoutMs: TIMEOUT_MS,
      signal: stopping,
      userAgent: ports.userAgent,
      ...ports.webhookFetch,
    })
    if (status === GONE) return { what: 'ended', status }
    return { what: status >= 200 && status <= 299 ? 'delivered' : 'failed', status }
  } catch (error) {
    if (error instanceof RefusedUrl) return { what: 'failed', status: null }
    throw error
  }
}

export async function noteSuccess(
  trx: AnyDb,
  delivery: DeliveryRow,
  { failures }: WebhookRow,
  status: number,
): Promise<void> {
  await finish(trx, delivery, 'delivered', status)
  if (failures > 0) await saveWebhook(trx, keyOf(delivery), { failures: 0, failing_since: null, retry_at: 0 })
}

export async function noteFailure(
  trx: AnyDb,
  delivery: DeliveryRow,
  { status, failures, since, retryAt, endsBefore }: Failure,
): Promise<void> {
  await saveWebhook(trx, keyOf(delivery), { failures, failing_since: since, retry_at: retryAt })
  if (Date.parse(delivery.created_at) < endsBefore) await finish(trx, delivery, 'failed', status)
  else await saveDelivery(trx, delivery, { status })
}

/** Switches a webhook off, and has its creator and the owner notified. */
export async function switchOff(
  trx: AnyDb,
  ports: DeliveryPorts,
  { delivery, webhook, failure }: { delivery: DeliveryRow; webhook: WebhookRow; failure: Failure },
): Promise<void> {
  const { watchlist_id: watchlistId, creator_id: creatorId, id: webhookId } = webhook
  const { failures, since, retryAt, status } = failure
  const at = ports.clock.now().toISOString()
  await saveWebhook(trx, { watchlistId, webhookId }, { failures, failing_since: since, retry_at: retryAt })
  await finish(trx, delivery, 'failed', status)
  if (await failWebhook(trx, { watchlistId, webhookId })) {
    const { happened, arrived } = recordFacts(trx, ports.facts, { watchlistId, by: null, at })
    happened('webhook.switched-off', creatorId === null ? {} : { recipientId: creatorId })
    await arrived()
  }
  await dropWaiting(trx, { watchlistId, webhookId }, 0)
}

export async function finish(
  trx: AnyDb,
  delivery: DeliveryRow,
  state: DeliveryRow['state'],
  status: number | null,
): Promise<void> {
  await saveDelivery(trx, delivery, { state, status, due_at: null })
  await trimLog(trx, keyOf(delivery), WEBHOOK_LOG_LENGTH)
}

export function keyOf({ watchlist_id: watchlistId, webhook_id: webhookId }: DeliveryRow): WebhookKey {
  return { watchlistId, webhookId }
}
