import { z } from 'zod'

import { NotificationsPage, UnreadCount } from '../entities/notification.ts'
import { PageQuery, WatchlistIdBody, endpoint, id } from '../base/endpoint.ts'

const MAX_SEEN_MS = 24 * 60 * 60_000

export const NOTIFICATION_ENDPOINTS = {
  listNotifications: endpoint('GET', '/notifications', {
    summary: 'A page of your notifications, newest first',
    query: PageQuery,
    reply: NotificationsPage,
    errors: ['BAD_REQUEST'],
  }),
  countUnread: endpoint('GET', '/notifications/unread', {
    summary: 'How many cards and other things your unread notifications are about, without invitations',
    reply: UnreadCount,
    errors: [],
  }),
  readNotification: endpoint('PUT', '/notifications/:notificationId/read', {
    summary: 'Mark one of your notifications as read',
    reply: UnreadCount,
    errors: ['NOT_FOUND'],
  }),
  readNotifications: endpoint('PUT', '/notifications/read', {
    summary: 'Mark a notification and all older ones as read',
    body: z.object({ upTo: id }),
    reply: UnreadCount,
    errors: ['BAD_REQUEST'],
  }),
  seeNotifications: endpoint('PUT', '/notifications/seen', {
    summary: 'Drop what you have just seen on the open page of a watchlist from your notifications',
    body: WatchlistIdBody.extend({ forMs: z.number().int().min(0).max(MAX_SEEN_MS) }),
    reply: UnreadCount,
    errors: ['BAD_REQUEST'],
  }),
} as const
