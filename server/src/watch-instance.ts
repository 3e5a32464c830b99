import type { IdentityPorts } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { countMail } from '@marquee/platform/mail/store'
import type { Metrics } from '@marquee/platform/metrics/metrics'
import type { RedisConnections } from '@marquee/platform/redis/open'

/**
 * Adds to the metrics what this process knows of what it depends on. Gives what is to be told of sign-ins: no metric
 * names anybody, and no label has more values than are written in the sources.
 */
export function watchInstance(
  metrics: Pick<Metrics, 'addCounter' | 'addGauge'>,
  { database, redis }: { database: Database<unknown>; redis: RedisConnections | undefined },
): NonNullable<IdentityPorts['onSignIn']> {
  const gauges: [string, string, () => Promise<number> | number][] = [
    ['database_connections_open', 'Connections to the database', () => database.load().open],
    ['database_connections_in_use', 'Connections that are at work', () => database.load().inUse],
    ['database_waiting', 'Work that waits for a connection, or for its turn to write', () => database.load().waiting],
  ]
  if (redis) gauges.push(['redis_connected', '1 while Redis answers, else 0', () => (isConnected(redis) ? 1 : 0)])
  // Last, since it is itself work for the database.
  gauges.push(['mail_queue_length', 'Mails that wait or are being sent', async () => await countMail(database.read)])
  for (const gauge of gauges) metrics.addGauge(...gauge)
  return metrics.addCounter('sign_ins_total', 'Sign-ins at the built-in user pool by how they ended', 'result')
}

function isConnected({ commands, listener }: RedisConnections): boolean {
  return commands.status === 'ready' && listener.status === 'ready'
}
