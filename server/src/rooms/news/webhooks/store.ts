import type { ExpressionBuilder } from 'kysely'

import type { Webhook, WebhookDelivery, WebhookFormat } from '@marquee/contract/entities/webhook'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'
import type { DueTable } from '@marquee/platform/queue/store'

export type WebhookTables = {
  webhook: {
    watchlist_id: string
    id: string
    name: string
    format: WebhookFormat
    host: string
    target: string
    kinds: string
    state: Webhook['state']
    created_at: string
    failures: number
    failing_since: number | null
    retry_at: number
    creator_id: string | null
  }
  webhook_delivery: {
    watchlist_id: string
    webhook_id: string
    id: string
    kind: WebhookDelivery['kind']
    card_id: string | null
    item_id: string | null
    username: string
    created_at: string
    state: WebhookDelivery['state']
    attempts: number
    status: number | null
    due_at: number | null
  }
}

export type WebhookRow = WebhookTables['webhook']
export type DeliveryRow = WebhookTables['webhook_delivery']
export type WebhookKey = { readonly watchlistId: string; readonly webhookId: string }
type DeliveryKey = Pick<DeliveryRow, 'watchlist_id' | 'webhook_id' | 'id'>

const tables = withTables<WebhookTables>

const WEBHOOK_COLUMNS = [
  'watchlist_id',
  'id',
  'name',
  'format',
  'host',
  'target',
  'kinds',
  'state',
  'created_at',
  'failures',
  'failing_since',
  'retry_at',
  'creator_id',
] as const

/** Messages that wait. Those to one webhook share a lane. */
export const WAITING_DELIVERIES: DueTable<DeliveryRow> = {
  name: 'webhook_delivery',
  key: ['watchlist_id', 'webhook_id', 'id'],
  lane: 2,
  thenBy: 'id',
  attempts: 'attempts',
}

/** The ids of the webhooks of a watchlist, as part of another statement. */
export function webhooksOf(db: AnyDb, watchlistId: string) {
  return tables(db).selectFrom('webhook').select('webhook.id').where('webhook.watchlist_id', '=', watchlistId)
}

export async function insertWebhook(db: AnyDb, webhook: WebhookRow): Promise<void> {
  await tables(db).insertInto('webhook').values(webhook).execute()
}

const allWebhooks = prepared<{ watchlistId: string }, WebhookRow, { isKept: boolean }>((db, value, { isKept }) =>
  tables(db)
    .selectFrom('webhook')
    .select(WEBHOOK_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .orderBy('created_at')
    .orderBy('id')
    // SQLite runs one transaction after the other.
    .$if(isKept && dialectOf(db) === 'postgres', (query) => query.forKeyShare()),
)

/** Oldest first. */
export async function listWebhookRows(db: AnyDb, watchlistId: string): Promise<WebhookRow[]> {
  return await allWebhooks(db, { watchlistId }, { isKept: false })
}

/** The same, and none of them is deleted before the transaction ends. */
export async function keepWebhookRows(trx: AnyDb, watchlistId: string): Promise<WebhookRow[]> {
  return await allWebhooks(trx, { watchlistId }, { isKept: true })
}

export async function findWebhook(db: AnyDb, key: WebhookKey): Promise<WebhookRow | undefined> {
  return await tables(db)
    .selectFrom('webhook')
    .selectAll()
    .where('watchlist_id', '=', key.watchlistId)
    .where('id', '=', key.webhookId)
    .executeTakeFirst()
}

export async function saveWebhook(
  db: AnyDb,
  key: WebhookKey,
  change: Partial<Pick<WebhookRow, 'state' | 'target' | 'failures' | 'failing_since' | 'retry_at'>>,
): Promise<void> {
  await tables(db)
    .updateTable('webhook')
    .set(change)
    .where('watchlist_id', '=', key.watchlistId)
    .where('id', '=', key.webhookId)
    .execute()
}

/** Switches off those that are on. Returns their ids. */
export async function switchOffAll(db: AnyDb, watchlistId: string): Promise<string[]> {
  const switched = await tables(db)
    .updateTable('webhook')
    .set({ state: 'off', failures: 0, failing_since: null, retry_at: 0 })
    .where('watchlist_id', '=', watchlistId)
    .where('state', '=', 'on')
    .returning('id')
    .execute()
  return switched.map(({ id }) => id)
}

/** Marks a webhook as failed. False if it was off already. */
export async function failWebhook(db: AnyDb, { watchlistId, webhookId }: WebhookKey): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('webhook')
    .set({ state: 'failed' })
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', webhookId)
    .where('state', '=', 'on')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteWebhookRow(db: AnyDb, key: WebhookKey): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('webhook')
    .where('watchlist_id', '=', key.watchlistId)
    .where('id', '=', key.webhookId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function insertDeliveries(db: AnyDb, deliveries: readonly DeliveryRow[]): Promise<void> {
  await tables(db).insertInto('webhook_delivery').values(deliveries).execute()
}

/** The last messages of a webhook, newest first. */
export async function listDeliveryRows(
  db: AnyDb,
  { watchlistId, webhookId }: WebhookKey,
  limit: number,
): Promise<DeliveryRow[]> {
  return await tables(db)
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function saveDelivery(
  db: AnyDb,
  key: DeliveryKey,
  change: Partial<Pick<DeliveryRow, 'state' | 'status' | 'due_at'>>,
): Promise<void> {
  await deliveryOf(db, key).set(change).execute()
}

export async function countWaiting(db: AnyDb, { watchlistId, webhookId }: WebhookKey): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('webhook_delivery')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('watchlist_id', '=', watchlistId)
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Drops all but the newest `keep` waiting messages. Returns how many. */
export async function dropWaiting(db: AnyDb, key: WebhookKey, keep: number): Promise<number> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('webhook_delivery')
    .set({ state: 'dropped', due_at: null })
    .where(isOlder(key, 'is not', keep))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes all but the newest `keep` messages that no longer wait. */
export async function trimLog(db: AnyDb, key: WebhookKey, keep: number): Promise<void> {
  await tables(db)
    .deleteFrom('webhook_delivery')
    .where(isOlder(key, 'is', keep))
    .execute()
}

/** The messages of a webhook that wait, or that no longer wait, without the newest `keep`. */
function isOlder({ watchlistId, webhookId }: WebhookKey, due: 'is' | 'is not', keep: number) {
  return (eb: ExpressionBuilder<WebhookTables, 'webhook_delivery'>) => {
    const own = eb.and([
      eb('webhook_delivery.watchlist_id', '=', watchlistId),
      eb('webhook_delivery.webhook_id', '=', webhookId),
      eb('webhook_delivery.due_at', due, null),
    ])
    const newest = eb.selectFrom('webhook_delivery').select('id').where(own).orderBy('id', 'desc').limit(keep)
    return eb.and([own, eb('id', 'not in', newest)])
  }
}

function deliveryOf(db: AnyDb, { watchlist_id, webhook_id, id }: DeliveryKey) {
  return tables(db)
    .updateTable('webhook_delivery')
    .where('watchlist_id', '=', watchlist_id)
    .where('webhook_id', '=', webhook_id)
    .where('id', '=', id)
}
