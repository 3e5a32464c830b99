import { z } from 'zod'

import { NotificationsPage, UnreadCount } from '../entities/notification.ts'
import { GroupChanges, NotificationSettings, QuietHoursChange } from '../entities/notification-settings.ts'
import { PageQuery, WatchlistIdBody, endpoint, id, text } from '../base/endpoint.ts'

const MAX_TIME_ZONE_LENGTH = 100
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
  getNotificationSettings: endpoint('GET', '/notifications/settings', {
    summary: 'Which notifications you get, and where',
    reply: NotificationSettings,
    errors: [],
  }),
  changeNotificationSettings: endpoint('PUT', '/notifications/settings', {
    summary: 'Change some of these settings; what the body leaves out stays as it is',
    body: z.object({
      groups: GroupChanges.optional(),
      watchlist: WatchlistIdBody.extend({ isMuted: z.boolean() }).optional(),
      quietHours: QuietHoursChange.optional(),
      timeZone: text({ required: 'A time zone is required', max: MAX_TIME_ZONE_LENGTH }).optional(),
      /** Tries the address again. */
      refusedEmail: z.null().optional(),
    }),
    reply: NotificationSettings,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
} as const
