import { z } from 'zod'

import { NotificationsPage, UnreadCount } from '../entities/notification.ts'
import { GroupChanges, NotificationSettings, QuietHoursChange } from '../entities/notification-settings.ts'
import { PageQuery, WatchlistIdBody, endpoint, notificationParams, text } from '../base/endpoint.ts'

const MAX_TIME_ZONE_LENGTH = 100
const MAX_SEEN_MS = 24 * 60 * 60_000

export const NOTIFICATION_ENDPOINTS = {
  listNotifications: endpoint({
    method: 'GET',
    path: '/notifications',
    summary: 'A page of your notifications, newest first',
    auth: 'required',
    status: 200,
    query: PageQuery,
    reply: NotificationsPage,
    errors: ['BAD_REQUEST'],
  }),
  countUnread: endpoint({
    method: 'GET',
    path: '/notifications/unread',
    summary: 'How many cards and other things your unread notifications are about, without invitations',
    auth: 'required',
    status: 200,
    reply: UnreadCount,
    errors: [],
  }),
  readNotification: endpoint({
    method: 'PUT',
    path: '/notifications/:notificationId/read',
    summary: 'Mark one of your notifications as read',
    auth: 'required',
    status: 200,
    params: notificationParams,
    reply: UnreadCount,
    errors: ['NOT_FOUND'],
    limit: 'write',
  }),
  readNotifications: endpoint({
    method: 'PUT',
    path: '/notifications/read',
    summary: 'Mark a notification and all older ones as read',
    auth: 'required',
    status: 200,
    body: z.object({ upTo: notificationParams.shape.notificationId }),
    reply: UnreadCount,
    errors: ['BAD_REQUEST'],
    limit: 'write',
  }),
  seeNotifications: endpoint({
    method: 'PUT',
    path: '/notifications/seen',
    summary: 'Drop what you have just seen on the open page of a watchlist from your notifications',
    auth: 'required',
    status: 200,
    body: WatchlistIdBody.extend({ forMs: z.number().int().min(0).max(MAX_SEEN_MS) }),
    reply: UnreadCount,
    errors: ['BAD_REQUEST'],
    limit: 'write',
  }),
  getNotificationSettings: endpoint({
    method: 'GET',
    path: '/notifications/settings',
    summary: 'Which notifications you get, and where',
    auth: 'required',
    status: 200,
    reply: NotificationSettings,
    errors: [],
  }),
  changeNotificationSettings: endpoint({
    method: 'PUT',
    path: '/notifications/settings',
    summary: 'Change some of these settings; what the body leaves out stays as it is',
    auth: 'required',
    status: 200,
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
    limit: 'write',
  }),
} as const
