import type { IdentityPorts } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { countMail } from '@marquee/platform/mail/store'
import type { Metrics } from '@marquee/platform/metrics/metrics'
import type { RedisConnections } from '@marquee/platform/redis/open'

import { countRequests } from './modules/posters/store.ts'

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
  gauges.push(['mail_queue_length', 'Mails that wait or are being sent', async () => await countMail(database.read)])
  gauges.push([
    'poster_queue_length',
    'Posters that wait or are being copied',
    async () => await countRequests(database.read),
  ])
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
