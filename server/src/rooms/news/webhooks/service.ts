import type { KeyObject } from 'node:crypto'

import type {
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookFormat,
  WebhookKind,
} from '@marquee/contract/entities/webhook'
import { WEBHOOK_KIND_OF } from '@marquee/contract/facts'
import { MAX_WEBHOOKS, WEBHOOK_LOG_LENGTH } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { type GuardedFetchOptions, isAllowedUrl } from '@marquee/platform/network/guarded-fetch'
import { afterPause } from '@marquee/platform/queue/deliveries'
import type { Clock } from '@marquee/platform/runtime/clock'
import { sealedJson } from '@marquee/platform/sealed/sealed-json'

import type { Announce } from '../activities/service.ts'
import type { User } from '../../club/people/service.ts'
import { authorizeRead, changeWatchlist, type WatchlistPorts } from '../../club/watchlists/service.ts'
import { SECRET_PREFIX } from './message.ts'
import {
  deleteWebhookRow,
  type DeliveryRow,
  dropWaiting,
  findWebhook,
  insertDeliveries,
  insertWebhook,
  keepWebhookRows,
  listDeliveryRows,
  listWebhookRows,
  saveWebhook,
  switchOffAll,
  type WebhookKey,
  type WebhookRow,
} from './store.ts'

export { webhooksOf } from './store.ts'

const SECRET_BYTES = 24
const TOO_MANY = `A watchlist cannot have more than ${MAX_WEBHOOKS} webhooks`
/** The same for all reasons: different ones would map the network of this server. */
const UNUSABLE = 'This address cannot be used'

/** The address and the secret of a webhook; only `standard` has one. */
export type Target = { readonly url: string; readonly secret: string | null }

export type WebhookPorts = WatchlistPorts & {
  /** The current key first, then earlier ones. */
  readonly webhookKeys: readonly KeyObject[]
  /** Starts to send what was added. */
  readonly wakeWebhooks: () => void
  /** Differences from the public internet, for tests. */
  readonly webhookFetch?: Partial<GuardedFetchOptions>
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to everyone but the owner. */
export async function listWebhooks({ database }: WebhookPorts, user: User, watchlistId: string): Promise<Webhook[]> {
  await authorizeRead(database.read, user, 'webhook.manage', watchlistId)
  return (await listWebhookRows(database.read, watchlistId)).map(present)
}

/** The webhooks that a user created, for the export of their data. */
export async function exportWebhooks(
  { database: { read } }: Pick<WebhookPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<Webhook[]> {
  return (await listWebhookRows(read, watchlistId)).filter((row) => row.creator_id === userId).map(present)
}

/**
 * Creates a webhook. Only this reply has its secret.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST for an address that cannot be used, or if there are too many.
 */
export async function createWebhook(
  ports: WebhookPorts,
  user: User,
  watchlistId: string,
  { name, url, format, kinds }: { name: string; url: string; format: WebhookFormat; kinds: WebhookKind[] },
): Promise<NewWebhook> {
  const { database, random, clock } = ports
  await authorizeRead(database.read, user, 'webhook.manage', watchlistId)
  if (!(await isAllowedUrl(url, ports.webhookFetch))) throw new Problem('BAD_REQUEST', UNUSABLE)
  const id = random.uuid()
  const secret = format === 'standard' ? `${SECRET_PREFIX}${random.bytes(SECRET_BYTES).toString('base64')}` : null
  const row: WebhookRow = {
    watchlist_id: watchlistId,
    id,
    name,
    format,
    host: new URL(url).host,
    target: sealTarget({ keys: ports.webhookKeys, random }, { watchlistId, webhookId: id }, { url, secret }),
    kinds: JSON.stringify([...new Set(kinds)]),
    state: 'on',
    created_at: clock.now().toISOString(),
    failures: 0,
    failing_since: null,
    retry_at: 0,
    creator_id: user.userId,
  }
  await changeWatchlist(ports, user, 'webhook.manage', { watchlistId }, async ({ trx }) => {
    if ((await listWebhookRows(trx, watchlistId)).length >= MAX_WEBHOOKS) throw new Problem('BAD_REQUEST', TOO_MANY)
    await insertWebhook(trx, row)
  })
  return { ...present(row), secret }
}

/** Switches a webhook on or off. What waits is dropped. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function switchWebhook(ports: WebhookPorts, user: User, key: WebhookKey, isOn: boolean): Promise<Webhook> {
  return await changeWatchlist(ports, user, 'webhook.manage', key, async ({ trx }) => {
    const row = await requireWebhook(trx, key)
    const change = { state: isOn ? 'on' : 'off', failures: 0, failing_since: null, retry_at: 0 } as const
    await saveWebhook(trx, key, change)
    await dropWaiting(trx, key, 0)
    return present({ ...row, ...change })
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function deleteWebhook(ports: WebhookPorts, user: User, key: WebhookKey): Promise<void> {
  await changeWatchlist(ports, user, 'webhook.manage', key, async ({ trx }) => {
    await requireWebhook(trx, key)
    await deleteWebhookRow(trx, key)
  })
}

/** Sends a test message. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the webhook is off. */
export async function testWebhook(ports: WebhookPorts, user: User, key: WebhookKey): Promise<void> {
  await changeWatchlist(ports, user, 'webhook.manage', key, async ({ trx, now, at }) => {
    const { state } = await requireWebhook(trx, key)
    if (state !== 'on') throw new Problem('BAD_REQUEST', 'This webhook is switched off')
    await insertDeliveries(trx, [
      {
        watchlist_id: key.watchlistId,
        webhook_id: key.webhookId,
        id: ports.random.orderedId(),
        kind: 'test',
        card_id: null,
        item_id: null,
        username: user.username,
        created_at: at,
        state: 'waiting',
        attempts: 0,
        status: null,
        due_at: now.getTime(),
      },
    ])
  })
  ports.wakeWebhooks()
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function listDeliveries(
  { database: { read } }: WebhookPorts,
  user: User,
  key: WebhookKey,
): Promise<WebhookDelivery[]> {
  await authorizeRead(read, user, 'webhook.manage', key.watchlistId)
  if (!(await findWebhook(read, key))) throw new Problem('NOT_FOUND')
  return (await listDeliveryRows(read, key, WEBHOOK_LOG_LENGTH)).map((row) => ({
    id: row.id,
    kind: row.kind,
    at: row.created_at,
    state: row.state,
    attempts: row.attempts,
    status: row.status,
  }))
}

/** Switches off the webhooks of a watchlist that gets another owner; false if there were none. */
export async function switchWebhooksOff(trx: AnyDb, watchlistId: string): Promise<boolean> {
  const ids = await switchOffAll(trx, watchlistId)
  for (const webhookId of ids) await dropWaiting(trx, { watchlistId, webhookId }, 0)
  return ids.length > 0
}

/** Makes the messages of activities, for each webhook that reports them. Those of a failing one wait with the others. */
export function announceByWebhooks({ clock }: { clock: Clock }, startSending: (watchlistId: string) => void): Announce {
  return async (trx, watchlistId, activities) => {
    const webhooks = (await keepWebhookRows(trx, watchlistId)).filter(({ state }) => state === 'on')
    const deliveries = webhooks.flatMap(({ id, kinds, retry_at }) =>
      activities.flatMap(({ activity }): DeliveryRow[] => {
        const kind = WEBHOOK_KIND_OF.get(activity.kind)
        if (!kind || !kindsOf(kinds).includes(kind)) return []
        return [
          {
            watchlist_id: watchlistId,
            webhook_id: id,
            id: activity.id,
            kind,
            card_id: activity.card_id,
            item_id: activity.comment_id ?? activity.night_id,
            username: activity.actor ?? '',
            created_at: activity.created_at,
            state: 'waiting',
            attempts: 0,
            status: null,
            due_at: afterPause(retry_at, clock.now().getTime()),
          },
        ]
      }),
    )
    if (deliveries.length === 0) return () => undefined
    await insertDeliveries(trx, deliveries)
    return () => {
      startSending(watchlistId)
    }
  }
}

/** The targets of webhooks. */
export const {
  column: SEALED_WEBHOOKS,
  seal: sealTarget,
  open: openTarget,
} = sealedJson<WebhookKey, Target>({
  table: 'webhook',
  column: 'target',
  key: { watchlistId: 'watchlist_id', webhookId: 'id' },
  context: 'webhook',
})

async function requireWebhook(trx: AnyDb, key: WebhookKey): Promise<WebhookRow> {
  const row = await findWebhook(trx, key)
  if (!row) throw new Problem('NOT_FOUND')
  return row
}

function present(row: WebhookRow): Webhook {
  const { id, name, format, host, state } = row
  return { id, name, format, host, kinds: kindsOf(row.kinds), state, createdAt: row.created_at }
}

function kindsOf(kinds: string): WebhookKind[] {
  return JSON.parse(kinds) as WebhookKind[]
}
