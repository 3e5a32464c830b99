import { z } from 'zod'

import type { NotificationKind } from './notification.ts'

/** Where notifications of a group go. `inApp` is the list of notifications, `push` each device of the user that asks for it. */
const Channels = z.object({ inApp: z.boolean(), push: z.boolean(), mail: z.enum(['off', 'at-once', 'daily']) })

/** The groups of kinds that a user sets together. Invitations are always mailed. */
const Groups = z.object({
  invitations: Channels.extend({ mail: z.literal('at-once') }),
  joins: Channels,
  draws: Channels,
  /** The user's own movie was drawn. */
  drawn: Channels,
  comments: Channels,
  mentions: Channels,
  nights: Channels,
  ratings: Channels,
  /** A movie that was asked for has arrived. */
  arrivals: Channels,
})
type Groups = z.infer<typeof Groups>
export type NotificationGroup = keyof Groups
export const NOTIFICATION_GROUPS = Groups.keyof().options

/** The group of each kind. Null if it cannot be turned off. */
const GROUP_OF_KIND: Readonly<Record<NotificationKind, NotificationGroup | null>> = {
  invited: 'invitations',
  joined: 'joins',
  revealed: 'draws',
  drawn: 'drawn',
  accepted: 'draws',
  declined: 'draws',
  commented: 'comments',
  mentioned: 'mentions',
  'night-planned': 'nights',
  'night-changed': 'nights',
  'night-cancelled': 'nights',
  'night-tomorrow': 'nights',
  'night-starting': 'nights',
  'please-rate': 'ratings',
  arrived: 'arrivals',
  'webhook-off': null,
}
const GROUPS_BY_KIND = new Map<string, NotificationGroup | null>(Object.entries(GROUP_OF_KIND))

/** The group of a kind. Undefined for one that cannot be turned off, and for an unknown one. */
export function groupOf(kind: string): NotificationGroup | undefined {
  return GROUPS_BY_KIND.get(kind) ?? undefined
}

/** A time of the day such as `22:00`. */
const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'This is not a time such as 22:00')

/** Push and mail wait until the quiet hours end. They may contain midnight. */
const QuietHours = z.object({ from: TimeOfDay, until: TimeOfDay })

/**
 * Which notifications a user gets, and where. Nothing of a muted watchlist is pushed, mailed or unread. Without a time zone,
 * times of the day are UTC. `refusedEmail` is the user's mail address, if it refused a mail: no mail about notifications, nights
 * or ratings goes there until it changes or the user tries again.
 */
export const NotificationSettings = z.object({
  groups: Groups,
  mutedWatchlistIds: z.array(z.string()),
  quietHours: QuietHours.nullable(),
  timeZone: z.string().nullable(),
  refusedEmail: z.string().optional(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

const Change = Channels.partial().optional()

/** Changes of some of the groups. */
export const GroupChanges = z.object({
  invitations: Channels.omit({ mail: true }).partial().optional(),
  joins: Change,
  draws: Change,
  drawn: Change,
  comments: Change,
  mentions: Change,
  nights: Change,
  ratings: Change,
  arrivals: Change,
})
export type GroupChanges = z.infer<typeof GroupChanges>

export const QuietHoursChange = QuietHours.refine(
  ({ from, until }) => from !== until,
  'Quiet hours must end at another time than they begin',
).nullable()

const ON = { inApp: true, push: true, mail: 'off' } as const
const IN_APP = { inApp: true, push: false, mail: 'off' } as const

/** The settings of a user who changed none. Without a device that asks for them, there are no push notifications. */
export const DEFAULT_GROUPS: Groups = {
  invitations: { ...ON, mail: 'at-once' },
  joins: IN_APP,
  draws: IN_APP,
  drawn: ON,
  comments: IN_APP,
  mentions: ON,
  nights: { ...ON, mail: 'at-once' },
  ratings: { ...IN_APP, mail: 'at-once' },
  arrivals: ON,
}
