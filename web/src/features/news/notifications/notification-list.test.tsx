import type { Notification } from '@marquee/contract/entities/notification'
import '#web/i18n/notification-texts.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { createQueryClient } from '#web/api/query-client.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile, aReceivedInvitation } from '#web/testing/samples.ts'
import { LiveRegion } from '#web/ui/live-region.tsx'

import { Bell } from './bell.tsx'
import { NotificationList } from './notification-list.tsx'
import { readShownNotifications, unreadCount } from './queries.ts'

tidyUp()

const aNotification = (id: string, more: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'revealed',
  watchlistId: 'w1',
  watchlistName: 'Friday films',
  by: 'Ana',
  cardId: 'c1',
  cardTitle: 'Alien',
  startsAt: null,
  createdAt: '2026-03-03T12:00:00.000Z',
  isRead: false,
  ...more,
})

async function openList(notifications: Notification[], read: () => unknown = () => ({ unread: 0 })) {
  const api = fakeApi({
    getProfile: () => aProfile('Ana'),
    listNotifications: () => ({ notifications, nextToken: null }),
    readNotification: read,
    readNotifications: read,
  })
  await renderPart(
    <>
      <NotificationList />
      <LiveRegion />
    </>,
  )
  return api
}

test('notifications about one card on one day form one row, which opens the card and marks all as read', async () => {
  const now = new Date().toISOString()
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString()
  const { callsOf } = await openList([
    aNotification('n5', { kind: 'commented', by: 'Ben', createdAt: now }),
    aNotification('n4', { createdAt: now }),
    aNotification('n3', { createdAt: now, isRead: true }),
    aNotification('n2', { cardId: 'c2', cardTitle: 'Heat', createdAt: now }),
    aNotification('n1', { createdAt: yesterday }),
  ])

  const links = await screen.findAllByRole<HTMLAnchorElement>('link')

  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Today', 'Yesterday'])
  expect(links.map(({ hash }) => hash)).toEqual(['#card-c1', '#card-c2', '#card-c1'])
  expect(links[0]?.textContent).toMatch(/^BBen commented on AlienAna revealed AlienFriday films/u)
  await userEvent.click(links[0] ?? document.body)
  await waitFor(() =>
    expect(callsOf('readNotification').map(({ request }) => request.params)).toEqual([
      { notificationId: 'n5' },
      { notificationId: 'n4' },
    ]),
  )
})

test('the notifications are grouped by day and link to what they are about', async () => {
  await openList([
    aNotification('n7', { kind: 'please-rate', by: null }),
    aNotification('n6', { kind: 'webhook-off', by: null, cardId: null, cardTitle: null }),
    aNotification('n5', { kind: 'commented', cardId: 'c2', cardTitle: 'Heat' }),
    aNotification('n4', { kind: 'night-tomorrow', by: null, cardId: null, cardTitle: null }),
    aNotification('n3', { kind: 'invited', cardId: null, cardTitle: null, createdAt: '2026-03-01T12:00:00.000Z' }),
    aNotification('n2', { kind: 'joined', cardId: null, cardTitle: null, createdAt: '2026-03-01T12:00:00.000Z' }),
    aNotification('n1', { kind: 'of a newer server', createdAt: '2026-03-01T12:00:00.000Z' }),
  ])

  const links = await screen.findAllByRole<HTMLAnchorElement>('link')

  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Mar 3, 2026', 'Mar 1, 2026'])
  expect(links.map(({ pathname, hash }) => `${pathname}${hash}`)).toEqual([
    '/watchlists/w1#card-c1',
    '/watchlists/w1/settings#webhooks',
    '/watchlists/w1#card-c2',
    '/watchlists/w1/night',
    '/watchlists/w1',
  ])
  expect(links[0]?.textContent).toContain('How was Alien?Friday films')
  expect(links[1]?.textContent).toContain('A webhook was switched off because it kept failing')
  expect(links[2]?.textContent).toContain('Ana commented on HeatFriday films')
  expect(links[3]?.textContent).toContain('The movie night is tomorrow')
})

test('opening a notification marks it as read', async () => {
  const { callsOf } = await openList([aNotification('n1')])

  await userEvent.click(await screen.findByRole('link'))

  await waitFor(() =>
    expect(callsOf('readNotification').map(({ request }) => request.params)).toEqual([{ notificationId: 'n1' }]),
  )
})

test('one button marks all notifications as read', async () => {
  const { callsOf } = await openList([aNotification('n2', { isRead: true }), aNotification('n1')])

  await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))

  await waitFor(() => expect(callsOf('readNotifications').map(({ request }) => request.body)).toEqual([{ upTo: 'n2' }]))
  expect(await screen.findByText('All notifications are marked as read')).toBeTruthy()
})

test('a failure to mark notifications as read is shown', async () => {
  await openList([aNotification('n1')], () => new Refusal(503, 'SERVICE_UNAVAILABLE', 'The service is unavailable.'))

  await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))

  expect((await screen.findByRole('alert')).textContent).toContain('The notifications could not be marked as read.')
})

test('an empty page explains what will appear there', async () => {
  await openList([])

  expect(await screen.findByText(/^Nothing yet\./u)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
})

test.each([
  [0, 0, 'Notifications', ''],
  [1, 0, 'Notifications, 1 unread', '1'],
  [1, 2, 'Notifications, 3 unread', '3'],
  [200, 0, 'Notifications, 200 unread', '99+'],
])('the bell adds up %i unread notifications and %i invitations', async (unread, waiting, name, badge) => {
  const invitations = Array.from({ length: waiting }, (_, n) => aReceivedInvitation(`w${n}`))
  fakeApi({ countUnread: () => ({ unread }), listReceivedInvitations: () => invitations })
  await renderPart(<Bell />)

  const bell = await screen.findByRole('link', { name })

  expect(bell.textContent).toBe(badge)
})

test('an outdated unread count does not replace a newer one', async () => {
  const early = Promise.withResolvers<undefined>()
  let unread = 1
  const { callsOf } = fakeApi({
    getProfile: () => aProfile('Ana'),
    listReceivedInvitations: () => [],
    listNotifications: () => ({ notifications: [aNotification('n1')], nextToken: null }),
    countUnread: async () => {
      const counted = { unread }
      if (callsOf('countUnread').length === 2) await early.promise
      return counted
    },
    readNotifications: () => {
      unread = 0
      return { unread }
    },
  })
  const { client } = await renderPart(
    <>
      <Bell />
      <NotificationList />
    </>,
  )
  await screen.findByRole('link', { name: 'Notifications, 1 unread' })
  void client.refetchQueries({ queryKey: unreadCount().queryKey })
  await waitFor(() => expect(callsOf('countUnread')).toHaveLength(2))

  await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(callsOf('countUnread')).toHaveLength(3))
  early.resolve(undefined)

  expect(await screen.findByRole('link', { name: 'Notifications' })).toBeTruthy()
})

test('notifications about the visible page are marked as read before the bell counts', async () => {
  const { callsOf } = fakeApi({ seeNotifications: () => ({ unread: 0 }) })
  const client = createQueryClient()

  await readShownNotifications(client, { watchlistId: 'w1', forMs: 5_000 })
  await readShownNotifications(client, undefined)

  expect(callsOf('seeNotifications').map(({ request }) => request.body)).toEqual([{ watchlistId: 'w1', forMs: 5_000 }])
  expect(client.getQueryData(unreadCount().queryKey)).toEqual({ unread: 0 })
})
