import type { Database } from '@marquee/platform/database/database'
import type { MailMessage } from '@marquee/platform/mail/message'
import { type MailQueue, startMailQueue } from '@marquee/platform/mail/queue'
import { systemClock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'

import { endedInvitations } from '../rooms/club/join-links/service.ts'

/**
 * The real outbox of this database; its mails end up in a list. It starts with the first mail, so that its statements do
 * not count in tests that count statements.
 */
export function testMail(
  database: Database<unknown>,
  logger: Logger,
): MailQueue & { delivered: () => readonly MailMessage[]; refusing: Set<string> } {
  const delivered: MailMessage[] = []
  const refusing = new Set<string>()
  const deliver = async (_id: string, message: MailMessage): Promise<void> => {
    if (refusing.has(message.to)) {
      throw Object.assign(new Error('There is no such user'), { responseCode: 550, command: 'RCPT TO' })
    }
    delivered.push(message)
    await Promise.resolve()
  }
  const transport = { deliver }
  let queue: MailQueue | undefined
  const refusals: Parameters<MailQueue['onRefusal']>[] = []
  const start = (): MailQueue => {
    const ports = { database, clock: systemClock, random: systemRandom, logger }
    const started = startMailQueue({ ...ports, transport, isOver: endedInvitations(ports) })
    for (const refusal of refusals) started.onRefusal(...refusal)
    return started
  }
  const started = () => (queue ??= start())
  return {
    enqueue: async (...mail) => await started().enqueue(...mail),
    replace: async (...mail) => await started().replace(...mail),
    cancel: async (...mail) => {
      await started().cancel(...mail)
    },
    wake: () => queue?.wake(),
    onRefusal: (...given) => {
      refusals.push(given)
      queue?.onRefusal(...given)
    },
    stop: async () => await queue?.stop(),
    delivered: () => delivered,
    refusing,
  }
}
