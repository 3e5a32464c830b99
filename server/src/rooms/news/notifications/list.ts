import type { Notification, NotificationsPage } from '@marquee/contract/entities/notification'
import { Problem } from '@marquee/contract/problems'
import { idIn, pageOf, placeOf } from '@marquee/contract/rules/page'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { AnyDb, Database } from '@marquee/platform/database/database'

import { findTitles } from '../../movies/cards/service.ts'
import { listReceivedInvitations } from '../../club/invitations/service.ts'
import type { User } from '../../club/people/service.ts'
import { findWatchlistNames, listWatchlistIdsOf } from '../../club/watchlists/service.ts'
import { deliveryOf, SHOWN_LIVE } from './delivery.ts'
import { settingsOf } from './settings.ts'
import {
  findPage,
  findUnreadRows,
  listUnreadTopics,
  markRead,
  markReadUpTo,
  markSeen,
  type NotificationRow,
  type Readable,
} from './store.ts'

export type NotificationPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly accounts: {
    readonly findUser: (username: string) => Promise<{ userId: string; email: string | undefined } | undefined>
  }
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
  const { read } = ports.database
  let after = placeOf(nextToken, idIn)
  const readable = await readableBy(ports, user)
  const shown: Notification[] = []
  for (;;) {
    const rows = await findPage(read, user.userId, readable, { after, limit: limit + 1 })
    shown.push(...(await present(read, rows)))
    if (shown.length > limit || rows.length <= limit) {
      const page = pageOf(shown, limit, ({ id }) => id)
      return { notifications: page.shown, nextToken: page.nextToken }
    }
    after = rows.at(-1)?.id
  }
}

/** How many cards and other things the unread notifications of a user are about. */
export async function countUnread(ports: NotificationPorts, user: User): Promise<{ unread: number }> {
  const { read } = ports.database
  const topics = await listUnreadTopics(read, user.userId, await readableBy(ports, user))
  const titles = await titlesOf(read, topics)
  const counts = topics.map(({ card_id: cardId, count }) => {
    if (cardId === null) return Number(count)
    return titles.has(cardId) ? 1 : 0
  })
  return { unread: counts.reduce((sum, count) => sum + count, 0) }
}

/** Those of the notifications that a user has not read and may still read. */
export async function listUnread(
  db: AnyDb,
  userId: string,
  readable: Readable,
  ids: readonly string[],
): Promise<Notification[]> {
  return await present(db, await findUnreadRows(db, userId, readable, ids))
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
  const [notification] = await listUnread(read, user.userId, await readableBy(ports, user), [id])
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
  await ports.database.transaction(async (trx) => await markReadUpTo(trx, user.userId, upTo))
  ports.live.notify(user.userId)
  return await countUnread(ports, user)
}

/** The user saw on the open page of a watchlist what happened there while it was open, so it is not news. */
export async function seeNotifications(
  ports: NotificationPorts,
  user: User,
  { watchlistId, forMs }: { watchlistId: string; forMs: number },
): Promise<{ unread: number }> {
  const since = new Date(ports.clock.now().getTime() - forMs).toISOString()
  const wasUnread = await ports.database.transaction(
    async (trx) => await markSeen(trx, user.userId, { watchlistId, since, kinds: SHOWN_LIVE }),
  )
  if (wasUnread) ports.live.notify(user.userId)
  return await countUnread(ports, user)
}

async function readableBy(ports: Pick<NotificationPorts, 'database' | 'clock'>, user: User): Promise<Readable> {
  const memberOf = await listWatchlistIdsOf(ports.database.read, user.userId)
  const invitations = await listReceivedInvitations(ports, user)
  return { memberOf, invitedTo: invitations.map(({ watchlistId }) => watchlistId) }
}

/** The titles of the cards of these notifications, without those that are in the box or deleted. */
async function titlesOf(
  db: AnyDb,
  rows: readonly Pick<NotificationRow, 'watchlist_id' | 'card_id'>[],
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  for (const [watchlistId, ofWatchlist] of Map.groupBy(rows, (row) => row.watchlist_id)) {
    const cardIds = ofWatchlist.flatMap((row) => row.card_id ?? [])
    if (cardIds.length === 0) continue
    for (const [cardId, title] of await findTitles(db, watchlistId, cardIds)) titles.set(cardId, title)
  }
  return titles
}

/** Notifications as the user reads them. What was put back into the box, or deleted, is no news any more. */
async function present(db: AnyDb, rows: readonly NotificationRow[]): Promise<Notification[]> {
  const names = await findWatchlistNames(db, [...new Set(rows.map((row) => row.watchlist_id))])
  const titles = await titlesOf(db, rows)
  const current = rows.filter(({ card_id: cardId }) => cardId === null || titles.has(cardId))
  return current.map((row) => ({
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
