import type { Database } from '@marquee/platform/database/database'
import type { MailMessage } from '@marquee/platform/mail/message'
import { type MailQueue, startMailQueue } from '@marquee/platform/mail/queue'
import { systemClock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'

/**
 * The real outbox of this database; its mails end up in a list. It begins with the first mail, so that whoever counts
 * statements counts none of its.
 */
export function testMail(
  database: Database<unknown>,
  logger: Logger,
): MailQueue & { delivered: () => readonly MailMessage[] } {
  const delivered: MailMessage[] = []
  const transport = { deliver: async (_id: string, message: MailMessage) => void delivered.push(message) }
  let queue: MailQueue | undefined
  return {
    enqueue: async (trx, message) => {
      queue ??= startMailQueue({ database, transport, clock: systemClock, random: systemRandom, logger })
      await queue.enqueue(trx, message)
    },
    wake: () => queue?.wake(),
    stop: async () => await queue?.stop(),
    delivered: () => delivered,
  }
}
