import type { Notification, NotificationsPage } from '@marquee/contract/entities/notification'
import { Problem } from '@marquee/contract/problems'
import { idIn, pageOf, placeOf } from '@marquee/contract/rules/page'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { AnyDb, Database } from '@marquee/platform/database/database'

import { findTitles } from '../../movies/cards/service.ts'
import { listReceivedInvitations } from '../../club/invitations/service.ts'
import type { User } from '../../club/people/service.ts'
import { findWatchlistNames, listWatchlistIdsOf } from '../../club/watchlists/service.ts'
import { deliveryOf } from './delivery.ts'
import { settingsOf } from './settings.ts'
import {
  countUnreadOf,
  findPage,
  findUnreadRows,
  markRead,
  markReadUpTo,
  type NotificationRow,
  type Readable,
} from './store.ts'

export type NotificationPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly live: { readonly notify: (userId: string) => void }
  /** Starts to mail what is due. */
  readonly wakeMails: () => void
}

/**
 * A page of the notifications of a user, newest first, without those of watchlists that the user cannot read any more.
 * @throws {Problem} BAD_REQUEST if the token is invalid.
 */
export async function listNotifications(
  ports: NotificationPorts,
  user: User,
  { limit, nextToken }: { limit: number; nextToken?: string | undefined },
): Promise<NotificationsPage> {
  const after = placeOf(nextToken, idIn)
  const readable = await readableBy(ports, user)
  const rows = await findPage(ports.database.read, user.userId, readable, { after, limit: limit + 1 })
  const page = pageOf(rows, limit, ({ id }) => id)
  return { notifications: await present(ports.database.read, page.shown), nextToken: page.nextToken }
}

export async function countUnread(ports: NotificationPorts, user: User): Promise<{ unread: number }> {
  const readable = await readableBy(ports, user)
  return { unread: await countUnreadOf(ports.database.read, user.userId, readable) }
}

/** Those of the notifications that a user has not read and may still read, and whose card is not in the box or deleted. */
export async function listNews(
  db: AnyDb,
  userId: string,
  readable: Readable,
  ids: readonly string[],
): Promise<Notification[]> {
  const notifications = await present(db, await findUnreadRows(db, userId, readable, ids))
  return notifications.filter(({ cardId, cardTitle }) => cardId === null || cardTitle !== null)
}

/**
 * A notification to push, and when: during quiet hours, when these end. Undefined if it is no longer news, or if the user has
 * turned push off for it.
 */
export async function findToPush(
  ports: Pick<NotificationPorts, 'database' | 'clock'>,
  user: User,
  id: string,
): Promise<{ notification: Notification; dueAt: Date } | undefined> {
  const { read } = ports.database
  const [notification] = await listNews(read, user.userId, await readableBy(ports, user), [id])
  if (!notification) return undefined
  const settings = (await settingsOf(read, [user.userId]))(user.userId)
  const { pushAt } = deliveryOf(settings, notification, ports.clock.now())
  return pushAt && { notification, dueAt: pushAt }
}

/** @throws {Problem} NOT_FOUND. */
export async function readNotification(ports: NotificationPorts, user: User, id: string): Promise<{ unread: number }> {
  const isThere = await ports.database.transaction(async (trx) => await markRead(trx, user.userId, id))
  if (!isThere) throw new Problem('NOT_FOUND')
  ports.live.notify(user.userId)
  return await countUnread(ports, user)
}

/** Marks a notification and all older ones as read. */
export async function readNotifications(
  ports: NotificationPorts,
  user: User,
  upTo: string,
): Promise<{ unread: number }> {
  await ports.database.transaction(async (trx) => {
    await markReadUpTo(trx, user.userId, upTo)
  })
  ports.live.notify(user.userId)
  return await countUnread(ports, user)
}

async function readableBy(ports: Pick<NotificationPorts, 'database' | 'clock'>, user: User): Promise<Readable> {
  const memberOf = await listWatchlistIdsOf(ports.database.read, user.userId)
  const invitations = await listReceivedInvitations(ports, user)
  return { memberOf, invitedTo: invitations.map(({ watchlistId }) => watchlistId) }
}

async function present(db: AnyDb, rows: readonly NotificationRow[]): Promise<Notification[]> {
  const byWatchlist = Map.groupBy(rows, (row) => row.watchlist_id)
  const names = await findWatchlistNames(db, [...byWatchlist.keys()])
  const titles = new Map<string, string>()
  for (const [watchlistId, ofWatchlist] of byWatchlist) {
    const cardIds = ofWatchlist.flatMap((row) => row.card_id ?? [])
    if (cardIds.length === 0) continue
    for (const [cardId, title] of await findTitles(db, watchlistId, cardIds)) titles.set(cardId, title)
  }
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    watchlistId: row.watchlist_id,
    watchlistName: names.get(row.watchlist_id) ?? '',
    by: row.actor,
    cardId: row.card_id,
    cardTitle: titles.get(row.card_id ?? '') ?? null,
    startsAt: row.starts_at,
    createdAt: row.created_at,
    isRead: row.is_read === 1,
  }))
}
