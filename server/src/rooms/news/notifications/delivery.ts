import type { NotificationKind } from '@marquee/contract/entities/notification'
import { groupOf, type NotificationSettings } from '@marquee/contract/entities/notification-settings'
import { MAIL_OF_NOTIFICATION } from '@marquee/contract/facts'

import { afterQuietHours, nextDailyMail } from './delivery-times.ts'

/** What the open page of a watchlist shows at once. */
export const SHOWN_LIVE = ['revealed', 'drawn', 'accepted', 'declined'] as const satisfies readonly NotificationKind[]

/** How long push and mail about it wait, for an open page to say that its user has seen it. */
export const SEEN_WITHIN_MS = 5_000

/** Where one user gets a notification. A channel without a time does not carry it. */
export type Delivery = {
  readonly isListed: boolean
  readonly isRead: boolean
  readonly pushAt: Date | undefined
  readonly mailAt: Date | undefined
}

/**
 * Where a user gets a notification of this kind, by their settings. A mail of its own was sent when it happened, at `at`, or is
 * sent later in its place.
 */
export function deliveryOf(
  settings: NotificationSettings,
  { kind, watchlistId, at }: { kind: string; watchlistId: string; at?: Date },
  now: Date,
): Delivery {
  const group = groupOf(kind)
  if (group === undefined) return { isListed: true, isRead: false, pushAt: undefined, mailAt: undefined }
  const { inApp, push, mail } = settings.groups[group]
  if (settings.mutedWatchlistIds.includes(watchlistId)) {
    return { isListed: inApp, isRead: true, pushAt: undefined, mailAt: undefined }
  }
  const mailed = MAIL_OF_NOTIFICATION.get(kind)
  const waitsForMail =
    mailed === 'as-set' ||
    (mailed === 'own-waiting' && mail !== 'at-once') ||
    (mailed === 'own' && !isMailedNow(settings, mail, at ?? now))
  return {
    isListed: inApp,
    isRead: false,
    pushAt: push ? afterQuietHours(settings, now) : undefined,
    mailAt: mail !== 'off' && waitsForMail ? mailTime(settings, mail, now) : undefined,
  }
}

/** Whether mails that are sent at once need not wait for the end of quiet hours. */
function isMailedNow(settings: NotificationSettings, mail: 'off' | 'at-once' | 'daily', now: Date): boolean {
  return mail === 'at-once' && afterQuietHours(settings, now).getTime() === now.getTime()
}

/** When a mail about something that happened at this time is sent, at the earliest. */
export function mailTime(settings: NotificationSettings, mail: 'at-once' | 'daily', time: Date): Date {
  return afterQuietHours(settings, mail === 'daily' ? nextDailyMail(settings, time) : time)
}
