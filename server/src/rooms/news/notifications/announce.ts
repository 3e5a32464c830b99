import { mentionsIn } from '@marquee/contract/rules/mentions'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import type { ActivityRow, Announce, Announced } from '../activities/service.ts'
import { findWants, onlyInFeed } from '../../movies/cards/service.ts'
import { listCommenters } from '../../movies/comments/service.ts'
import { listInvitedIds } from '../../club/invitations/service.ts'
import { receiveByAddress } from '../../club/join-links/service.ts'
import type { User } from '../../club/people/service.ts'
import { addPushMessages } from '../push/service.ts'
import { listUnratedAtNight } from '../../movies/viewings/service.ts'
import { findOwnerId, keepMembers } from '../../club/watchlists/service.ts'
import { type Delivery, deliveryOf, SEEN_WITHIN_MS, SHOWN_LIVE } from './delivery.ts'
import { insertMails } from './mail-store.ts'
import { settingsOf } from './settings.ts'
import { insertNotifications, type NotificationRow } from './store.ts'

type Ports = {
  readonly clock: Clock
  readonly random: Random
  readonly live: { readonly notify: (userId: string) => void }
  /** Starts to send what was added to the queue of push messages. */
  readonly wakePush: () => void
  /** Starts to mail what is due. */
  readonly wakeMails: () => void
}

type Member = Pick<Awaited<ReturnType<typeof keepMembers>>[number], 'user_id' | 'username'>
/** With a card if it is not that of the activity. */
type Recipient = Pick<NotificationRow, 'user_id' | 'kind'> & Partial<Pick<NotificationRow, 'card_id'>>
type Made = Omit<NotificationRow, 'user_id' | 'kind' | 'is_listed' | 'is_read'>

/** Makes the notifications of activities. */
export function announceToMembers({ clock, random, live, wakePush, wakeMails }: Ports): Announce {
  return async (trx, watchlistId, activities) => {
    // The deletion of an account waits, and then finds what is added here for its user.
    const members = await keepMembers(trx, watchlistId)
    const invitees = activities.flatMap(({ activity, addressee }) => addressee?.userId ?? activity.invitee_id ?? [])
    const usernames = new Map(members.map(({ user_id: userId, username }) => [userId, username]))
    const settings = await settingsOf(trx, [...usernames.keys(), ...invitees])
    const notified = new Set<string>()
    const commentersOf = onceForEachCard(trx, watchlistId)
    for (const announced of activities) {
      const now = clock.now()
      const { actor, card_id, starts_at } = announced.activity
      const at = new Date(announced.activity.created_at)
      const shared = { watchlist_id: watchlistId, actor, card_id, starts_at }
      // The same clock orders notifications and shows when they were made: a reminder was written long before.
      const made = { ...shared, id: random.orderedId(), created_at: now.toISOString() }
      const recipients = announced.addressee
        ? await inviteeOf(trx, announced.activity, { addressee: announced.addressee, now: now.toISOString() })
        : await recipientsOf(trx, announced, members, commentersOf)
      const deliveries = recipients.flatMap((recipient) => {
        const { kind, user_id: userId } = recipient
        const delivery = deliveryOf(settings(userId), { kind, watchlistId, at }, now)
        const isMade = delivery.isListed || (delivery.mailAt ?? delivery.pushAt) !== undefined
        return isMade ? [{ ...recipient, ...delivery }] : []
      })
      await deliver(trx, { made, usernames }, deliveries)
      for (const { user_id: userId } of deliveries) notified.add(userId)
    }
    return () => {
      for (const userId of notified) live.notify(userId)
      wakePush()
      wakeMails()
    }
  }
}

/** Adds a notification, and what is due of it by push and mail, for each of these users. */
async function deliver(
  trx: AnyDb,
  { made, usernames }: { made: Made; usernames: ReadonlyMap<string, string> },
  deliveries: readonly (Recipient & Delivery)[],
): Promise<void> {
  const { id, created_at: createdAt } = made
  const rows = deliveries.map(({ user_id, kind, card_id = made.card_id, isListed, isRead }) => {
    return { ...made, user_id, kind, card_id, is_listed: isListed ? 1 : 0, is_read: isRead ? 1 : 0 }
  })
  await insertNotifications(trx, rows)
  const dueTime = (kind: NotificationRow['kind'], at: Date | undefined) => {
    if (at === undefined) return undefined
    const seenBy = SHOWN_LIVE.some((shown) => shown === kind) ? Date.parse(createdAt) + SEEN_WITHIN_MS : 0
    return Math.max(at.getTime(), seenBy)
  }
  const mails = deliveries.flatMap(({ user_id, kind, mailAt }) => {
    const username = usernames.get(user_id)
    const dueAt = dueTime(kind, mailAt)
    return dueAt !== undefined && username !== undefined
      ? [{ user_id, notification_id: id, username, due_at: dueAt }]
      : []
  })
  await insertMails(trx, mails)
  for (const [dueAt, pushes] of Map.groupBy(deliveries, ({ kind, pushAt }) => dueTime(kind, pushAt))) {
    if (dueAt === undefined) continue
    const userIds = pushes.map(({ user_id: userId }) => userId)
    await addPushMessages(trx, userIds, { notificationId: id, now: Date.parse(createdAt), dueAt })
  }
}

/** A user whose mail address was invited, if they now have the invitation. */
async function inviteeOf(
  trx: AnyDb,
  { watchlist_id: watchlistId, invitee_id: linkId }: ActivityRow,
  { addressee, now }: { addressee: User; now: string },
): Promise<Recipient[]> {
  if (linkId === null) return []
  const isInvited = await receiveByAddress(trx, { watchlistId, linkId }, addressee, now)
  return isInvited ? [{ user_id: addressee.userId, kind: 'invited' }] : []
}

/** Who gets which notification of an activity. */
async function recipientsOf(
  trx: AnyDb,
  announced: Announced,
  members: readonly Member[],
  commentersOf: CommentersOf,
): Promise<Recipient[]> {
  const { activity, card } = announced
  const { watchlist_id: watchlistId, kind, actor, invitee_id: userId } = activity
  const others = members.filter(({ username }) => username !== actor)
  switch (kind) {
    case 'night-started':
      return []
    case 'invited': {
      const invited = await listInvitedIds(trx, watchlistId)
      return invited.filter((id) => id === userId).map((user_id) => ({ user_id, kind }))
    }
    case 'webhook-off': {
      const concerned = [userId, await findOwnerId(trx, watchlistId)]
      return members.filter(({ user_id }) => concerned.includes(user_id)).map(({ user_id }) => ({ user_id, kind }))
    }
    case 'please-rate':
      return await ratersOf(trx, activity, members)
    case 'commented':
      return await readersOf(announced, others, commentersOf)
    case 'arrived':
      return await waitersOf(trx, announced, members)
    case 'revealed':
      return others.map(({ user_id }) => ({ user_id, kind: user_id === card?.authorId ? 'drawn' : kind }))
    case 'joined':
    case 'accepted':
    case 'declined':
    case 'night-planned':
    case 'night-changed':
    case 'night-cancelled':
    case 'night-tomorrow':
    case 'night-starting':
      return others.map(({ user_id }) => ({ user_id, kind }))
  }
}

type CommentersOf = (cardId: string) => Promise<ReadonlySet<string>>

/** The commenters of cards. Activities that are announced together are often about one card. */
function onceForEachCard(trx: AnyDb, watchlistId: string): CommentersOf {
  const known = new Map<string, ReadonlySet<string>>()
  return async (cardId) => {
    const commenters = known.get(cardId) ?? (await listCommenters(trx, { watchlistId, cardId }))
    known.set(cardId, commenters)
    return commenters
  }
}

/** A comment notifies those whom it mentions, who added the card, or who commented on it. */
async function readersOf(
  { activity: { card_id: cardId }, card, comment }: Announced,
  others: readonly Member[],
  commentersOf: CommentersOf,
): Promise<Recipient[]> {
  if (!card || !comment || cardId === null || others.length === 0) return []
  const names = others.map(({ username }) => username)
  const mentioned = new Set(mentionsIn(comment.content, names).map(({ username }) => username))
  const commenters = await commentersOf(cardId)
  return others.flatMap(({ user_id, username }): Recipient[] => {
    if (mentioned.has(username)) return [{ user_id, kind: 'mentioned' }]
    return user_id === card.authorId || commenters.has(user_id) ? [{ user_id, kind: 'commented' }] : []
  })
}

/** A movie has arrived for the member who asked for it, who added its card, or who wants it, too. */
async function waitersOf(
  trx: AnyDb,
  { activity: { watchlist_id: watchlistId, card_id: cardId, invitee_id: askerId }, card }: Announced,
  members: readonly Member[],
): Promise<Recipient[]> {
  const wants = cardId === null ? [] : await findWants(trx, { watchlistId, cardId })
  const waiting = new Set([askerId, card?.authorId, ...wants.map(({ user_id: userId }) => userId)])
  return members.flatMap(({ user_id }): Recipient[] => (waiting.has(user_id) ? [{ user_id, kind: 'arrived' }] : []))
}

/** Those who were at a night and have not rated its movies. If it is one movie, the notification is about its card. */
async function ratersOf(
  trx: AnyDb,
  { watchlist_id: watchlistId, night_id: nightId }: ActivityRow,
  members: readonly Member[],
): Promise<Recipient[]> {
  const unrated = await listUnratedAtNight(trx, watchlistId, nightId ?? '')
  const inFeed = await onlyInFeed(
    trx,
    watchlistId,
    unrated.map(({ cardId }) => cardId),
  )
  return members.flatMap(({ user_id, username }): Recipient[] => {
    const own = unrated.filter((viewing) => viewing.username === username && inFeed.includes(viewing.cardId))
    return own.length === 0
      ? []
      : [{ user_id, kind: 'please-rate', card_id: own.length === 1 ? (own[0]?.cardId ?? null) : null }]
  })
}
