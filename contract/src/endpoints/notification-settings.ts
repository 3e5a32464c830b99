import { z } from 'zod'

import { GroupChanges, NotificationSettings, QuietHoursChange } from '../entities/notification-settings.ts'
import { WatchlistIdBody, endpoint, text } from '../base/endpoint.ts'

const MAX_TIME_ZONE_LENGTH = 100

export const NOTIFICATION_SETTINGS_ENDPOINTS = {
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
