import { z } from 'zod'

export const NOTIFICATION_KINDS = [
  'invited',
  'joined',
  'revealed',
  'drawn',
  'accepted',
  'declined',
  'commented',
  'mentioned',
  'night-planned',
  'night-changed',
  'night-cancelled',
  'night-tomorrow',
  'night-starting',
  'please-rate',
  'arrived',
  'webhook-off',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Those about a movie, whose sentence has its title while it is known. */
export const MOVIE_NOTIFICATION_KINDS = [
  'revealed',
  'drawn',
  'accepted',
  'declined',
  'commented',
  'mentioned',
  'please-rate',
  'arrived',
] as const satisfies readonly NotificationKind[]

/**
 * Something that happened in a watchlist, for one user. A newer server may send a `kind` that the browser does not know.
 * `by` is the member who did it; null for a reminder. `cardTitle` is null if it is about no card.
 * `startsAt` is the time of a movie night, if it is fixed.
 */
export const Notification = z.object({
  id: z.string(),
  kind: z.string(),
  watchlistId: z.string(),
  watchlistName: z.string(),
  by: z.string().nullable(),
  cardId: z.string().nullable(),
  cardTitle: z.string().nullable(),
  startsAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  isRead: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const NotificationsPage = z.object({ notifications: z.array(Notification), nextToken: z.string().nullable() })
export type NotificationsPage = z.infer<typeof NotificationsPage>

/** Notifications about one card count once. Invitations are not among them: they wait until they are answered. */
export const UnreadCount = z.object({ unread: z.number().int().min(0) })
