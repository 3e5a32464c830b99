import type { NotificationKind } from './entities/notification.ts'
import type { WebhookKind } from './entities/webhook.ts'
import { UNDO_GRACE_MS, UNDO_MS } from './base/limits.ts'
import type { LiveEvent, PublishedEvent } from './base/live-events.ts'

type LiveKind = Exclude<LiveEvent['kind'], 'notifications-changed'>

/** A row about what is stored until it is announced. Its kind has the name that stored rows and notifications have. */
export type ActivityKind = Exclude<NotificationKind, 'drawn' | 'mentioned'> | 'night-started'

type Row = {
  /** Who may learn of it. */
  readonly seenBy: 'readers' | 'members'
  /** The live event, which makes pages stale. Null if no page shows the fact. */
  readonly live: LiveKind | null
  /** Whether the live event names the user. It never does for what is secret: who fills the box, and who votes how. */
  readonly namesUser: boolean
  /** Whether a page of the feed changes. */
  readonly changesFeed: boolean
  /** What is stored and announced later; by the decision if there is one. Null if only live events follow. */
  readonly activity: ActivityKind | Readonly<Record<Decision, ActivityKind>> | null
  /** Who gets notifications: the other members, all members, or the recipient whom the fact names. */
  readonly notifies: 'others' | 'members' | 'recipient'
  readonly notifications: readonly NotificationKind[]
  readonly push: boolean
  /**
   * `own`: a mail of its own, unless the user wants it later. `own-waiting`: its own mail, which waits for the end of quiet hours,
   * unless the user wants daily mails. `always`: its own mail, whatever the settings.
   */
  readonly mail: 'never' | 'as-set' | 'own' | 'own-waiting' | 'always'
  readonly webhook: WebhookKind | null
  /** How long it can be undone. It is announced after that. */
  readonly undoneForMs: number
}

type Decision = 'WATCHED' | 'REJECTED'

const SEEN = {
  seenBy: 'readers',
  namesUser: true,
  changesFeed: false,
  activity: null,
  notifies: 'others',
  notifications: [],
  push: false,
  mail: 'never',
  webhook: null,
  undoneForMs: 0,
} as const satisfies Omit<Row, 'live'>

/** What pages show, to all readers or only to members. */
const TO_READERS = SEEN
const TO_MEMBERS = { ...SEEN, seenBy: 'members' } as const
/** Part of the pages of the feed. */
const IN_FEED = { ...SEEN, changesFeed: true } as const
const OF_NIGHT = { ...TO_MEMBERS, live: 'nights-changed' } as const
/** What members are notified of. */
const NOTIFIED = { push: true, mail: 'as-set' } as const

/**
 * The facts of a watchlist: what happened there and others may learn, and what follows from it. The server's
 * `changeWatchlist` records them. `docs/product/live.md` shows this table.
 */
export const FACTS = {
  'watchlist.changed': { ...TO_READERS, live: 'watchlist-changed' },
  'watchlist.deleted': { ...TO_READERS, live: 'watchlist-deleted' },

  'member.joined': {
    ...TO_READERS,
    ...NOTIFIED,
    live: 'members-changed',
    activity: 'joined',
    notifications: ['joined'],
    webhook: 'member.joined',
  },
  // Cards of the feed show who wants them.
  'member.left': { ...IN_FEED, live: 'members-changed' },

  'invitation.sent': {
    ...TO_MEMBERS,
    live: 'invitations-changed',
    activity: 'invited',
    notifies: 'recipient',
    notifications: ['invited'],
    push: true,
    mail: 'always',
  },
  'invitation.accepted': { ...TO_MEMBERS, live: 'invitations-changed' },
  'invitation.declined': { ...TO_MEMBERS, live: 'invitations-changed' },
  'invitation.withdrawn': { ...TO_MEMBERS, live: 'invitations-changed' },
  'link.created': { ...TO_MEMBERS, live: 'invitations-changed' },
  'link.used': { ...TO_MEMBERS, live: 'invitations-changed' },
  'link.revoked': { ...TO_MEMBERS, live: 'invitations-changed' },
  'link.creators-set': { ...TO_MEMBERS, live: 'invitations-changed' },

  'box.changed': { ...TO_MEMBERS, live: 'box-changed', namesUser: false },
  'card.revealed': {
    ...IN_FEED,
    ...NOTIFIED,
    live: 'card-revealed',
    activity: 'revealed',
    notifications: ['revealed', 'drawn'],
    webhook: 'card.revealed',
  },
  // The winner of a vote is announced once it is known.
  'card.shortlisted': { ...IN_FEED, live: 'card-revealed' },
  'card.won': {
    ...TO_READERS,
    ...NOTIFIED,
    live: null,
    activity: 'revealed',
    notifications: ['revealed', 'drawn'],
    webhook: 'card.revealed',
  },
  'card.decided': {
    ...IN_FEED,
    ...NOTIFIED,
    live: 'card-changed',
    activity: { WATCHED: 'accepted', REJECTED: 'declined' },
    notifications: ['accepted', 'declined'],
    webhook: 'card.decided',
    undoneForMs: UNDO_MS + UNDO_GRACE_MS,
  },
  'card.undecided': { ...IN_FEED, live: 'card-changed' },
  'card.put-back': { ...IN_FEED, live: 'card-changed' },
  'card.edited': { ...IN_FEED, live: 'card-changed' },
  'card.deleted': { ...IN_FEED, live: 'card-deleted' },
  'poster.settled': { ...IN_FEED, live: 'card-changed' },

  'comment.added': {
    ...IN_FEED,
    ...NOTIFIED,
    live: 'comments-changed',
    activity: 'commented',
    notifications: ['commented', 'mentioned'],
    webhook: 'comment.added',
  },
  'comment.edited': { ...IN_FEED, live: 'comments-changed' },
  'comment.deleted': { ...IN_FEED, live: 'comments-changed' },

  'viewing.changed': { ...TO_MEMBERS, live: 'viewings-changed' },

  // A server was connected, changed or disconnected, or its list was read.
  'servers.changed': { ...TO_MEMBERS, live: 'servers-changed', namesUser: false },
  'request.made': { ...TO_MEMBERS, live: 'requests-changed' },
  // By the program, or the owner who connects the server that is asked.
  'request.changed': { ...TO_MEMBERS, live: 'requests-changed', namesUser: false },
  'request.arrived': {
    ...TO_MEMBERS,
    ...NOTIFIED,
    live: 'requests-changed',
    namesUser: false,
    activity: 'arrived',
    notifies: 'members',
    notifications: ['arrived'],
    webhook: 'movie.arrived',
  },

  'draw.prepared': { ...TO_MEMBERS, live: 'draws-changed' },
  'draw.hashes-closed': { ...TO_MEMBERS, live: 'draws-changed' },
  'draw.revealed': { ...TO_MEMBERS, live: 'draws-changed' },
  'draw.rule-set': { ...TO_MEMBERS, live: 'draws-changed' },

  'night.planned': {
    ...OF_NIGHT,
    ...NOTIFIED,
    activity: 'night-planned',
    notifications: ['night-planned'],
    mail: 'own',
    webhook: 'night.planned',
  },
  'night.changed': {
    ...OF_NIGHT,
    ...NOTIFIED,
    activity: 'night-changed',
    notifications: ['night-changed'],
    mail: 'own-waiting',
    webhook: 'night.changed',
  },
  'night.cancelled': {
    ...OF_NIGHT,
    ...NOTIFIED,
    activity: 'night-cancelled',
    notifications: ['night-cancelled'],
    mail: 'own-waiting',
    webhook: 'night.changed',
  },
  'night.answered': OF_NIGHT,
  // The two reminders of a planned night are recorded with its plan.
  'night.tomorrow': {
    ...TO_MEMBERS,
    ...NOTIFIED,
    live: null,
    activity: 'night-tomorrow',
    notifies: 'members',
    notifications: ['night-tomorrow'],
  },
  // A mail would come too late.
  'night.starting': {
    ...TO_MEMBERS,
    live: null,
    activity: 'night-starting',
    notifies: 'members',
    notifications: ['night-starting'],
    push: true,
  },
  'night.started': { ...OF_NIGHT, activity: 'night-started', webhook: 'night.started' },
  'night.attended': OF_NIGHT,
  'night.ended': OF_NIGHT,
  // The devices at the night may add the hashes of their seeds, and then the seeds.
  'night.draw-prepared': OF_NIGHT,
  'night.draw-hashes-closed': OF_NIGHT,
  'night.vetoes-set': OF_NIGHT,
  'night.code-made': OF_NIGHT,
  // A guest has no account, so no name of a user.
  'guest.joined': OF_NIGHT,
  'guest.left': OF_NIGHT,
  'guest.limit-set': OF_NIGHT,
  'guest.claimed': OF_NIGHT,
  'screen.paired': OF_NIGHT,
  'screen.ended': OF_NIGHT,
  'vote.opened': { ...OF_NIGHT, namesUser: false },
  'vote.cast': { ...OF_NIGHT, namesUser: false },
  'vote.closed': { ...OF_NIGHT, namesUser: false },
  'veto.used': { ...OF_NIGHT, namesUser: false },
  'ratings.due': {
    ...TO_MEMBERS,
    ...NOTIFIED,
    live: null,
    activity: 'please-rate',
    notifies: 'members',
    notifications: ['please-rate'],
    mail: 'own',
  },

  'webhook.switched-off': {
    ...TO_MEMBERS,
    live: null,
    activity: 'webhook-off',
    notifies: 'recipient',
    notifications: ['webhook-off'],
  },
} as const satisfies Record<string, Row>

export type FactName = keyof typeof FACTS

/** A fact of one watchlist. `by` is the user; null for the program, and for a guest of a night, who has no account. */
export type Fact = {
  readonly name: FactName
  readonly watchlistId: string
  readonly by: string | null
  readonly at: string
  /** Of a card that is known by its `slot`, it is added with the result of the transaction. */
  cardId?: string
  readonly slot?: number
  readonly to?: Decision
  readonly commentId?: string
  readonly nightId?: string
  /** The time of a planned night, if it is fixed. */
  readonly startsAt?: string | undefined
  /** The draw for which devices may add their seeds, or the hashes of these. */
  readonly drawNumber?: number
  readonly seeds?: LiveEvent['seeds']
  /** The invitee, or the link of an invitation by mail; or the creator of a webhook. */
  readonly recipientId?: string
}

export const rowOf = ({ name }: Pick<Fact, 'name'>): Row => FACTS[name]

/** The live event of a fact; undefined if there is none. */
export function liveEventOf(fact: Fact): PublishedEvent | undefined {
  const { live: kind, namesUser } = rowOf(fact)
  if (kind === null) return undefined
  const { watchlistId, cardId, drawNumber, seeds, by } = fact
  return {
    kind,
    watchlistId,
    ...(cardId !== undefined && { cardId }),
    ...(drawNumber !== undefined && { drawNumber, seeds }),
    ...(namesUser && by !== null && { by }),
  }
}

/** The kind of activity that a fact is stored as; undefined for none. */
export function activityKindOf(fact: Fact): ActivityKind | undefined {
  const { activity } = rowOf(fact)
  if (activity === null || typeof activity === 'string') return activity ?? undefined
  return fact.to && activity[fact.to]
}

const ROWS: readonly Row[] = Object.values(FACTS)

/** The live events that only members get. */
export const LIVE_FOR_MEMBERS: ReadonlySet<LiveEvent['kind']> = new Set(
  ROWS.flatMap(({ live, seenBy }) => (live !== null && seenBy === 'members' ? [live] : [])),
)

function byActivity<T>(value: (row: Row) => T): ReadonlyMap<string, T> {
  return new Map(
    ROWS.flatMap((row) => {
      const { activity } = row
      const kinds =
        activity === null || typeof activity === 'string' ? [activity ?? []].flat() : Object.values(activity)
      return kinds.map((kind) => [kind, value(row)] as const)
    }),
  )
}

/** What webhooks call the activities that they report. */
export const WEBHOOK_KIND_OF = byActivity(({ webhook }) => webhook)

/** How notifications of each kind are mailed. */
export const MAIL_OF_NOTIFICATION: ReadonlyMap<string, Row['mail']> = new Map(
  ROWS.flatMap(({ notifications, mail }) => notifications.map((kind) => [kind, mail] as const)),
)
