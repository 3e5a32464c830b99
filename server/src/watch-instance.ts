import type { IdentityPorts } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { WAITING_MAILS } from '@marquee/platform/mail/store'
import type { Metrics } from '@marquee/platform/metrics/metrics'
import { countWaiting, type DueTable } from '@marquee/platform/queue/store'
import type { RedisConnections } from '@marquee/platform/redis/open'

import { WAITING_ACTIVITIES } from './rooms/news/activities/store.ts'
import { RUNNING_IMPORTS } from './rooms/movies/imports/store.ts'
import { WAITING_NIGHT_MAILS } from './rooms/nights/nights/plan/waiting-mail-store.ts'
import { WAITING_REMINDERS } from './rooms/nights/nights/plan/reminder-store.ts'
import { WAITING_MAILS as WAITING_NOTIFICATION_MAILS } from './rooms/news/notifications/mail-store.ts'
import { WAITING_MARKS } from './rooms/movies/media-links/mark-store.ts'
import { REMOVED_LISTS } from './rooms/movies/media-servers/store.ts'
import { OPEN_REQUESTS } from './rooms/movies/movie-requests/store.ts'
import { WAITING_REQUESTS } from './rooms/movies/posters/store.ts'
import { WAITING_MESSAGES } from './rooms/news/push/store.ts'
import { WAITING_DELIVERIES } from './rooms/news/webhooks/store.ts'

/** The length of each queue: what waits, and what is being done. */
const QUEUES: readonly [name: string, help: string, table: Pick<DueTable<unknown>, 'name'>][] = [
  ['mail_queue_length', 'Mails that wait or are being sent', WAITING_MAILS],
  ['poster_queue_length', 'Posters that wait or are being copied', WAITING_REQUESTS],
  ['webhook_queue_length', 'Messages of webhooks that wait or are being sent', WAITING_DELIVERIES],
  ['push_queue_length', 'Push messages that wait or are being sent', WAITING_MESSAGES],
  ['import_queue_length', 'Imports that are being applied or undone', RUNNING_IMPORTS],
  ['notification_mail_queue_length', 'Notifications that wait for their mail', WAITING_NOTIFICATION_MAILS],
  ['media_list_removal_queue_length', 'Lists of media servers that are being removed', REMOVED_LISTS],
  ['media_mark_queue_length', 'Marks that wait to be sent to media servers', WAITING_MARKS],
  ['movie_request_queue_length', 'Movies that were asked for and have not arrived', OPEN_REQUESTS],
  ['night_mail_queue_length', 'Mails about changed movie nights that wait for quiet hours', WAITING_NIGHT_MAILS],
  ['rating_reminder_queue_length', 'Movie nights whose members will be asked for ratings', WAITING_REMINDERS],
  [
    'activity_queue_length',
    'Activities that wait to be announced, reminders of movie nights included',
    WAITING_ACTIVITIES,
  ],
]

/**
 * Adds metrics about the dependencies of this process. Returns what the user pool reports to. No metric has a username, and
 * no label has more values than the sources list.
 */
export function watchInstance(
  metrics: Pick<Metrics, 'addCounter' | 'addGauge'>,
  { database, redis }: { database: Database<unknown>; redis: RedisConnections | undefined },
): Pick<IdentityPorts, 'onSignIn' | 'onMailBudgetNearlySpent'> {
  const gauges: [string, string, () => Promise<number> | number][] = [
    ['database_connections_open', 'Connections to the database', () => database.load().open],
    ['database_connections_in_use', 'Connections that are at work', () => database.load().inUse],
    ['database_waiting', 'Work that waits for a connection, or for its turn to write', () => database.load().waiting],
  ]
  if (redis) gauges.push(['redis_connected', '1 while Redis answers, else 0', () => (isConnected(redis) ? 1 : 0)])
  // Last, since it causes work for the database itself.
  for (const [name, help, table] of QUEUES) {
    gauges.push([name, help, async () => await countWaiting(database.read, table)])
  }
  for (const gauge of gauges) metrics.addGauge(...gauge)
  return {
    onSignIn: metrics.addCounter('sign_ins_total', 'Sign-ins at the built-in user pool by how they ended', 'result'),
    onMailBudgetNearlySpent: metrics.addCounter(
      'mail_budgets_nearly_spent_total',
      'Hours in which 80 percent of the codes for one purpose were sent',
      'purpose',
    ),
  }
}

function isConnected({ commands, listener }: RedisConnections): boolean {
  return commands.status === 'ready' && listener.status === 'ready'
}
