import { GROUP_OF_KIND } from '@marquee/contract/entities/notification-settings'
import { mentionsIn } from '@marquee/contract/rules/mentions'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import type { Announce, Announced } from '../activities/service.ts'
import { listCommenters } from '../comments/service.ts'
import { invitationKeeping } from '../invitations/service.ts'
import { receiveByAddress } from '../join-links/service.ts'
import type { User } from '../profiles/service.ts'
import { addPushMessages } from '../push/service.ts'
import { listMembers } from '../watchlists/service.ts'
import { settingsOf } from './settings.ts'
import { insertNotifications, type NotificationRow } from './store.ts'

type Ports = {
  readonly clock: Clock
  readonly random: Random
  readonly live: { readonly notify: (userId: string) => void }
  /** Starts to send what was added to the queue of push messages. */
  readonly wakePush: () => void
}

type Member = Pick<Awaited<ReturnType<typeof listMembers>>[number], 'user_id' | 'username'>
type Recipient = Pick<NotificationRow, 'user_id' | 'kind'>

/** Makes the notifications of activities. */
export function announceToMembers({ clock, random, live, wakePush }: Ports): Announce {
  return async (trx, watchlistId, activities) => {
    const now = clock.now().toISOString()
    const members = await listMembers(trx, watchlistId)
    const invitees = activities.flatMap(({ activity, addressee }) => addressee?.userId ?? activity.invitee_id ?? [])
    const settings = await settingsOf(trx, [...members.map(({ user_id: userId }) => userId), ...invitees])
    const notified = new Set<string>()
    let pushed = 0
    for (const announced of activities) {
      const { actor, card_id, starts_at } = announced.activity
      const shared = { watchlist_id: watchlistId, actor, card_id, starts_at }
      // The same clock orders notifications and shows when they were made: a reminder was written long before.
      const made = { ...shared, id: random.orderedId(), created_at: now }
      const recipients = announced.addressee
        ? await inviteeOf(trx, announced.activity, { addressee: announced.addressee, now })
        : await recipientsOf(trx, announced, members)
      const rows = recipients.flatMap((recipient) => {
        const { groups, mutedWatchlistIds } = settings(recipient.user_id)
        if (!groups[GROUP_OF_KIND[recipient.kind]].inApp) return []
        return [{ ...made, ...recipient, is_read: mutedWatchlistIds.includes(watchlistId) ? 1 : 0 }]
      })
      await insertNotifications(trx, rows)
      pushed += await addPushMessages(trx, clock, rows)
      for (const { user_id: userId } of rows) notified.add(userId)
    }
    return () => {
      for (const userId of notified) live.notify(userId)
      if (pushed > 0) wakePush()
    }
  }
}

/** A user whose mail address was invited, if they now have the invitation. */
async function inviteeOf(
  trx: AnyDb,
  { kind, watchlist_id: watchlistId, invitee_id: linkId }: Announced['activity'],
  { addressee, now }: { addressee: User; now: string },
): Promise<Recipient[]> {
  if (linkId === null || kind === 'night-started') return []
  const isInvited = await receiveByAddress(trx, { watchlistId, linkId }, addressee, now)
  return isInvited ? [{ user_id: addressee.userId, kind }] : []
}

/**
 * Who gets which notification of an activity. A comment notifies those whom it mentions, who added the card, or who
 * commented on it.
 */
async function recipientsOf(
  trx: AnyDb,
  { activity, card, comment }: Announced,
  members: readonly Member[],
): Promise<Recipient[]> {
  const { watchlist_id: watchlistId, kind, actor, invitee_id: inviteeId, card_id: cardId } = activity
  if (kind === 'night-started') return []
  if (inviteeId !== null) {
    const isInvited = (await invitationKeeping.listInvitedIds(trx, watchlistId)).includes(inviteeId)
    return isInvited ? [{ user_id: inviteeId, kind }] : []
  }
  const others = members.filter(({ username }) => username !== actor)
  if (!card || !comment || cardId === null) {
    return others.map(({ user_id }) => ({
      user_id,
      kind: kind === 'revealed' && user_id === card?.authorId ? 'drawn' : kind,
    }))
  }
  const names = others.map(({ username }) => username)
  const mentioned = new Set(mentionsIn(comment.content, names).map(({ username }) => username))
  const involved = new Set([card.authorId, ...(await listCommenters(trx, { watchlistId, cardId }))])
  return others.flatMap(({ user_id, username }): Recipient[] => {
    if (mentioned.has(username)) return [{ user_id, kind: 'mentioned' }]
    return involved.has(user_id) ? [{ user_id, kind }] : []
  })
}
