import type { AnyDb, Database } from '../database/database.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Random } from '../runtime/random.ts'
import { deliveryFault } from './delivery-fault.ts'
import { type MailMessage, type MailTransport, NOBODY } from './message.ts'
import { addMail, claimDueMail, nextDueAt, postponeMail, type QueuedMail, removeMail } from './store.ts'

const CLAIM_MS = 15_000
const RENEW_MS = 5_000
const BATCH = 20
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 15 * 60_000
const LONGEST_WAIT_MS = 60_000

/**
 * Mail that must not be lost. `enqueue` writes it in the caller's transaction, so a change that is rolled back tells
 * nobody; `wake`, called after the commit, sends what is due. A mail that could not be delivered is tried again, ever
 * more slowly, also by the next process.
 */
export type MailQueue = {
  enqueue: (trx: AnyDb, message: MailMessage) => Promise<void>
  wake: () => void
  stop: () => Promise<void>
}

/** A queue of a process that sends no mail itself: a server on the same database sends it within a minute. */
export function mailForServer({ clock, random }: { clock: Clock; random: Random }): MailQueue {
  return {
    enqueue: async (trx, message) => {
      await addMail(trx, { id: random.orderedId(), message, now: clock.now() })
    },
    wake: () => undefined,
    stop: async () => {
      await Promise.resolve()
    },
  }
}

export function startMailQueue(ports: {
  database: Database<unknown>
  transport: MailTransport
  clock: Clock
  random: Random
  logger: Logger
}): MailQueue {
  const { database, transport, clock, random, logger } = ports
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeUps = 0
  let stopped = false

  async function putOff(id: string, delay: number): Promise<void> {
    const dueAt = new Date(clock.now().getTime() + delay)
    await database.transaction(async (trx) => {
      await postponeMail(trx, id, dueAt)
    })
  }

  /** As long as this process lives the mail stays its own, however slow the server; soon after it died, another's. */
  async function handOver(mail: QueuedMail): Promise<void> {
    const renewal = setInterval(() => {
      putOff(mail.id, CLAIM_MS).catch((error: unknown) => {
        logger.error({ err: error, mailId: mail.id }, 'a mail that is being sent could not be kept from others')
      })
    }, RENEW_MS).unref()
    try {
      await transport.deliver(mail.id, mail.message)
    } finally {
      clearInterval(renewal)
    }
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    try {
      // It was put there only to be as much work as a mail.
      if (mail.message.to !== NOBODY) await handOver(mail)
    } catch (error) {
      const { id: mailId, attempts } = mail
      logger.error({ fault: deliveryFault(error), mailId, attempts }, 'a mail could not be delivered')
      await putOff(mail.id, Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), LAST_RETRY_MS))
      return
    }
    await database.transaction(async (trx) => {
      await removeMail(trx, mail.id)
    })
  }

  async function deliverDue(): Promise<void> {
    for (;;) {
      const now = clock.now()
      const claim = { now, until: new Date(now.getTime() + CLAIM_MS), limit: BATCH }
      const mails = await database.transaction(async (trx) => await claimDueMail(trx, claim))
      if (mails.length === 0) return
      await Promise.all(mails.map(deliver))
    }
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    try {
      let seen: number
      let dueAt: number | undefined
      do {
        seen = wakeUps
        await deliverDue()
        dueAt = await nextDueAt(database.read)
        // Whoever called meanwhile may have put in a mail that was not seen.
      } while (seen !== wakeUps)
      schedule(dueAt === undefined ? LONGEST_WAIT_MS : dueAt - clock.now().getTime())
    } catch (error) {
      logger.error({ err: error }, 'the outbox could not be read')
      schedule(FIRST_RETRY_MS)
    } finally {
      running = undefined
    }
  }

  function schedule(delay: number): void {
    if (stopped) return
    timer = setTimeout(wake, Math.min(Math.max(delay, 50), LONGEST_WAIT_MS))
    timer.unref()
  }

  function wake(): void {
    if (stopped) return
    wakeUps += 1
    running ??= run()
  }

  wake()
  return {
    enqueue: async (trx, message) => {
      await addMail(trx, { id: random.orderedId(), message, now: clock.now() })
    },
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
