import { sql } from 'kysely'

import { MAX_PUSH_DEVICES, MAX_PUSH_WAITING } from '@marquee/contract/limits'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { LONGEST_PAUSE_MS } from '@marquee/platform/queue/deliveries'
import type { DueTable } from '@marquee/platform/queue/store'

export type PushTables = {
  push_key: { slot: string; public_key: string; private_key: string }
  push_subscription: {
    user_id: string
    id: string
    username: string
    session_id: string | null
    device: string
    target: string
    created_at: string
    used_at: string | null
    failures: number
    retry_at: number
  }
  push_message: {
    user_id: string
    subscription_id: string
    notification_id: string
    created_at: number
    due_at: number
  }
}

export type KeyRow = Omit<PushTables['push_key'], 'slot'>
export type SubscriptionRow = PushTables['push_subscription']
export type MessageRow = PushTables['push_message']
export type SubscriptionKey = { readonly userId: string; readonly subscriptionId: string }

const SLOT = 'this'

const tables = withTables<PushTables>

/** Messages that wait. Those to one device share a lane. */
export const WAITING_MESSAGES: DueTable<MessageRow> = {
  name: 'push_message',
  key: ['user_id', 'subscription_id', 'notification_id'],
  lane: 2,
  thenBy: 'notification_id',
}

export async function findKey(db: AnyDb): Promise<KeyRow | undefined> {
  return await tables(db)
    .selectFrom('push_key')
    .select(['public_key', 'private_key'])
    .where('slot', '=', SLOT)
    .executeTakeFirst()
}

/** Saves the key pair, in place of `instead` if given, unless another process has already saved one. */
export async function saveKey(trx: AnyDb, key: KeyRow, instead: KeyRow | undefined): Promise<void> {
  await tables(trx)
    .insertInto('push_key')
    .values({ slot: SLOT, ...key })
    .onConflict((conflict) =>
      conflict
        .column('slot')
        .doUpdateSet(key)
        .where('push_key.private_key', '=', instead?.private_key ?? ''),
    )
    .execute()
}

/** Adds a device, or renews it. */
export async function saveSubscription(trx: AnyDb, row: SubscriptionRow): Promise<void> {
  const { username, session_id, device, target, failures, retry_at } = row
  await tables(trx)
    .insertInto('push_subscription')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'id']).doUpdateSet({ username, session_id, device, target, failures, retry_at }),
    )
    .execute()
}

/** Deletes the devices that were used longest ago, if there are more than a user may have. */
export async function dropOldSubscriptions(trx: AnyDb, userId: string): Promise<void> {
  await tables(trx)
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb(
        'id',
        'not in',
        eb
          .selectFrom('push_subscription as kept')
          .select('kept.id')
          .where('kept.user_id', '=', userId)
          .orderBy(sql`coalesce(kept.used_at, kept.created_at)`, 'desc')
          .orderBy('kept.id')
          .limit(MAX_PUSH_DEVICES),
      ),
    )
    .execute()
}

/** The devices of a user, newest first. */
export async function listSubscriptions(db: AnyDb, userId: string): Promise<SubscriptionRow[]> {
  return await tables(db)
    .selectFrom('push_subscription')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function findSubscription(
  db: AnyDb,
  { userId, subscriptionId }: SubscriptionKey,
): Promise<SubscriptionRow | undefined> {
  return await tables(db)
    .selectFrom('push_subscription')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
}

export async function changeSubscription(
  trx: AnyDb,
  { userId, subscriptionId }: SubscriptionKey,
  change: Partial<Pick<SubscriptionRow, 'target' | 'used_at' | 'failures' | 'retry_at'>>,
): Promise<void> {
  await tables(trx)
    .updateTable('push_subscription')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', '=', subscriptionId)
    .execute()
}

/** Moves what waits for one device of a user to another. */
export async function handOverMessages(
  trx: AnyDb,
  { userId, subscriptionId }: SubscriptionKey,
  nextId: string,
): Promise<void> {
  await tables(trx)
    .updateTable('push_message')
    .set({ subscription_id: nextId })
    .where('user_id', '=', userId)
    .where('subscription_id', '=', subscriptionId)
    .execute()
}

/** Deletes one device with what waits for it, or all of a user. Returns how many. */
export async function deleteSubscriptions(trx: AnyDb, userId: string, subscriptionId?: string): Promise<number> {
  const { numDeletedRows } = await tables(trx)
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .$if(subscriptionId !== undefined, (query) => query.where('id', '=', subscriptionId ?? ''))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Adds a message about a notification for each device of these users, and drops the oldest of those that wait for a device
 * that cannot be reached. Returns how many were added.
 */
export async function insertMessages(
  trx: AnyDb,
  userIds: readonly string[],
  { notificationId, now, dueAt }: { notificationId: string; now: number; dueAt: number },
): Promise<number> {
  const added = await tables(trx)
    .insertInto('push_message')
    .columns(['user_id', 'subscription_id', 'notification_id', 'created_at', 'due_at'])
    .expression((eb) =>
      eb
        .selectFrom('push_subscription')
        .select(['user_id', 'id as subscription_id'])
        .select([
          sql<string>`cast(${notificationId} as text)`.as('notification_id'),
          sql<number>`cast(${now} as bigint)`.as('created_at'),
          // A message to a device that cannot be reached waits with the others, unless that time was written by a clock
          // ahead of time.
          sql<number>`case when retry_at > cast(${dueAt} as bigint) and retry_at <= cast(${now + LONGEST_PAUSE_MS} as bigint)
            then retry_at else cast(${dueAt} as bigint) end`.as('due_at'),
        ])
        .where(isOneOf(trx, sql.ref('user_id'), userIds))
        // A device that is deleted at the same time is left out. SQLite runs one transaction after the other.
        .$if(dialectOf(trx) === 'postgres', (query) => query.forKeyShare()),
    )
    .returning('user_id')
    .execute()
  if (added.length === 0) return 0
  await tables(trx)
    .deleteFrom('push_message')
    .where(isOneOf(trx, sql.ref('user_id'), userIds))
    .where(
      sql<boolean>`(user_id, subscription_id, notification_id) in (select device.user_id, device.id, (
        select kept.notification_id from push_message as kept
        where kept.user_id = device.user_id and kept.subscription_id = device.id
        order by kept.notification_id desc limit 1 offset ${sql.lit(MAX_PUSH_WAITING)}
      ) from push_subscription as device where ${isOneOf(trx, sql.ref('device.user_id'), userIds)})`,
    )
    .execute()
  return added.length
}

export async function deleteMessage(
  trx: AnyDb,
  { user_id, subscription_id, notification_id }: Pick<MessageRow, 'user_id' | 'subscription_id' | 'notification_id'>,
): Promise<void> {
  await tables(trx)
    .deleteFrom('push_message')
    .where('user_id', '=', user_id)
    .where('subscription_id', '=', subscription_id)
    .where('notification_id', '=', notification_id)
    .execute()
}

/** Deletes the messages to a device that were made before a time. */
export async function deleteOldMessages(
  trx: AnyDb,
  { userId, subscriptionId }: SubscriptionKey,
  before: number,
): Promise<void> {
  await tables(trx)
    .deleteFrom('push_message')
    .where('user_id', '=', userId)
    .where('subscription_id', '=', subscriptionId)
    .where('created_at', '<', before)
    .execute()
}
