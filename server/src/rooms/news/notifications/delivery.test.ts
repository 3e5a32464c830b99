import { NOTIFICATION_KINDS, type NotificationKind } from '@marquee/contract/entities/notification'
import { DEFAULT_GROUPS, groupOf, type NotificationSettings } from '@marquee/contract/entities/notification-settings'
import { expect, test } from 'vitest'

import { deliveryOf } from './delivery.ts'

const NOW = '2026-07-01T12:00:00.000Z'
const TOMORROW = '2026-07-02T08:00:00.000Z'
const QUIET_END = '2026-07-01T14:00:00.000Z'
const QUIET = { from: '11:00', until: '14:00' }
const DEFAULTS: NotificationSettings = {
  groups: DEFAULT_GROUPS,
  mutedWatchlistIds: [],
  quietHours: null,
  timeZone: null,
}

/** The default settings, but this group has all channels, with mails like this. */
const withAll = (kind: string, mail: 'at-once' | 'daily', quietHours: NotificationSettings['quietHours'] = null) => {
  const group = groupOf(kind)
  if (group === undefined || group === 'invitations') return { ...DEFAULTS, quietHours }
  return { ...DEFAULTS, quietHours, groups: { ...DEFAULT_GROUPS, [group]: { inApp: true, push: true, mail } } }
}

/** When a kind is pushed and mailed: by default, if all is on, daily, and in quiet hours that end at 14:00. */
const TIMES: Readonly<
  Record<NotificationKind, { push?: string; atOnce?: string; daily?: string; quietPush?: string; quietMail?: string }>
> = {
  invited: { push: NOW, quietPush: QUIET_END },
  joined: { atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  revealed: { atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  drawn: { push: NOW, atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  accepted: { atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  declined: { atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  commented: { atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  mentioned: { push: NOW, atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  // At once, they have a mail of their own, with a calendar entry.
  'night-planned': { push: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  'night-changed': { push: NOW, daily: TOMORROW, quietPush: QUIET_END },
  'night-cancelled': { push: NOW, daily: TOMORROW, quietPush: QUIET_END },
  'night-tomorrow': { push: NOW, atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  'night-starting': { push: NOW, quietPush: QUIET_END },
  // It has a mail of its own, too.
  'please-rate': { daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  arrived: { push: NOW, atOnce: NOW, daily: TOMORROW, quietPush: QUIET_END, quietMail: QUIET_END },
  // It cannot be turned off, and is only in the list.
  'webhook-off': {},
}

test.each(NOTIFICATION_KINDS)('a notification of the kind %s is delivered according to the settings', (kind) => {
  const timesOf = (settings: NotificationSettings) => {
    const { pushAt, mailAt, ...listed } = deliveryOf(settings, { kind, watchlistId: 'w1' }, new Date(NOW))
    expect(listed).toEqual({ isListed: true, isRead: false })
    return { push: pushAt?.toISOString(), mail: mailAt?.toISOString() }
  }
  const { push, atOnce, daily, quietPush, quietMail } = TIMES[kind]

  expect(timesOf(DEFAULTS)).toEqual({ push, mail: kind === 'night-tomorrow' ? NOW : undefined })
  const pushed = kind === 'webhook-off' ? undefined : NOW
  expect(timesOf(withAll(kind, 'at-once'))).toEqual({ push: pushed, mail: atOnce })
  expect(timesOf(withAll(kind, 'daily'))).toEqual({ push: pushed, mail: daily })
  expect(timesOf(withAll(kind, 'at-once', QUIET))).toEqual({ push: quietPush, mail: quietMail })
  expect(timesOf({ ...withAll(kind, 'daily'), timeZone: 'Asia/Tokyo' }).mail).toBe(
    daily === undefined ? undefined : '2026-07-01T23:00:00.000Z',
  )
})

const MUTABLE = NOTIFICATION_KINDS.filter((kind) => kind !== 'webhook-off')

test.each(MUTABLE)('a notification of a muted watchlist is read at once, and not pushed or mailed: %s', (kind) => {
  const settings = { ...withAll(kind, 'at-once'), mutedWatchlistIds: ['w1'] }

  expect(deliveryOf(settings, { kind, watchlistId: 'w1' }, new Date(NOW))).toEqual({
    isListed: true,
    isRead: true,
    pushAt: undefined,
    mailAt: undefined,
  })
  expect(deliveryOf(settings, { kind, watchlistId: 'w2' }, new Date(NOW)).pushAt).toEqual(new Date(NOW))
})

test('a kind that is turned off everywhere is neither listed, pushed nor mailed', () => {
  const off = { inApp: false, push: false, mail: 'off' } as const
  const settings = { ...DEFAULTS, groups: { ...DEFAULT_GROUPS, comments: off } }

  expect(deliveryOf(settings, { kind: 'commented', watchlistId: 'w1' }, new Date(NOW))).toEqual({
    isListed: false,
    isRead: false,
    pushAt: undefined,
    mailAt: undefined,
  })
})
