import { z } from 'zod'

import { NotificationsPage, UnreadCount } from '../entities/notification.ts'
import { PageQuery, endpoint, notificationParams } from './endpoint.ts'

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
    summary: 'How many of your notifications are unread',
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
} as const
