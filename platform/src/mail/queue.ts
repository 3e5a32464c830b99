import { setTimeout as pause } from 'node:timers/promises'

import type { AnyDb, Database } from '../database/database.ts'
import type { Clock } from '../runtime/clock.ts'
import { allEnded, startDueWork } from '../runtime/due-work.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Random } from '../runtime/random.ts'
import { watchClaimants } from './dead-claimants.ts'
import { type MailMessage, type MailTransport, NOBODY } from './message.ts'
import {
  addMail,
  cancelMail,
  claimDueMail,
  listLateClaimants,
  nextDueAt,
  postponeMail,
  type QueuedMail,
  releaseClaims,
  removeMail,
  renewClaim,
  replaceMail,
} from './store.ts'

const CLAIM_MS = 10_000
const RENEW_MS = 2_000
/** The time between two attempts to record that a mail was sent. */
const NOTE_AGAIN_MS = 250
const BATCH = 20
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 15 * 60_000

/**
 * A mail queue that loses nothing. `enqueue` writes in the caller's transaction, so a change that is rolled back sends no
 * mail. `wake`, called after the commit, sends what is due. A failed delivery is retried with growing delays, also by the
 * next process. A mail is sent once, unless its process dies after the mail server accepted it and before that is recorded
 * (docs/decisions/0015-a-mail-is-sent-once.md).
 */
export type MailQueue = Outbox & {
  wake: () => void
  stop: () => Promise<void>
}

type Outbox = {
  /** Returns the mail's id. The mail is sent at once, unless it is due later. */
  enqueue: (trx: AnyDb, message: MailMessage, dueAt?: Date) => Promise<string>
  /** Replaces the message of a waiting mail; false if the mail is being sent or was sent. */
  replace: (trx: AnyDb, id: string, message: MailMessage) => Promise<boolean>
  /** Removes a mail unless it is being sent. */
  cancel: (trx: AnyDb, id: string) => Promise<void>
}

function outboxOf({ clock, random }: { clock: Clock; random: Random }): Outbox {
  return {
    enqueue: async (trx, message, dueAt) => {
      const [id, now] = [random.orderedId(), clock.now()]
      await addMail(trx, { id, message, now, dueAt: dueAt ?? now })
      return id
    },
    replace: replaceMail,
    cancel: cancelMail,
  }
}

/** A queue of a process that sends no mail itself: a server on the same database sends it within a minute. */
export function mailForServer(ports: { clock: Clock; random: Random }): MailQueue {
  return {
    ...outboxOf(ports),
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
  /** No other process sends from this database, so claims that exist at the start belong to a dead process. */
  isAlone?: boolean
}): MailQueue {
  const { database, transport, clock, random, logger } = ports
  const self = random.uuid()
  const claimants = watchClaimants(clock)
  let hasLeftovers = ports.isAlone ?? false

  const inFuture = (delay: number): Date => new Date(clock.now().getTime() + delay)

  async function renew(id: string): Promise<void> {
    await database.transaction(async (trx) => {
      await renewClaim(trx, { id, by: self, until: inFuture(CLAIM_MS) })
    })
  }

  /** Renews the claim while the mail server is slow. After a crash the claim lapses and another process takes the mail. */
  async function handOver(mail: QueuedMail): Promise<void> {
    const renewal = setInterval(() => {
      renew(mail.id).catch((error: unknown) => {
        logger.error({ err: error, mailId: mail.id }, 'a mail that is being sent could not be kept from others')
      })
    }, RENEW_MS).unref()
    try {
      await transport.deliver(mail.id, mail.message)
    } finally {
      clearInterval(renewal)
    }
  }

  /** Retries until it is recorded that the mail was sent, however long the database is unreachable. */
  async function noteSent(mailId: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await database.transaction(async (trx) => {
          await removeMail(trx, mailId)
        })
        return
      } catch (error) {
        if (attempt === 1)
          logger.error({ err: error, mailId }, 'a mail was sent, but this could not be written down yet')
        await pause(NOTE_AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    const { id, attempts } = mail
    try {
      // A decoy only costs as much time as a mail.
      if (mail.message.to !== NOBODY) await handOver(mail)
      await noteSent(id)
    } catch (error) {
      logger.error({ fault: deliveryFault(error), mailId: id, attempts }, 'a mail could not be delivered')
      const dueAt = inFuture(Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS))
      await database.transaction(async (trx) => {
        await postponeMail(trx, { id, by: self, dueAt })
      })
    }
  }

  async function deliverDue(): Promise<void> {
    for (;;) {
      const now = clock.now()
      // This process is sending nothing now, so its own claims are left over from a lost database connection.
      const from = [self, ...claimants.among(await listLateClaimants(database.read, now))]
      const claim = { by: self, now, until: inFuture(CLAIM_MS), limit: BATCH, from }
      const mails = await database.transaction(async (trx) => await claimDueMail(trx, claim))
      if (mails.length === 0) return
      await allEnded(mails.map(deliver))
    }
  }

  const queue = startDueWork({
    clock,
    work: async () => {
      if (hasLeftovers) {
        await database.transaction(async (trx) => {
          await releaseClaims(trx, clock.now())
        })
        hasLeftovers = false
      }
      await deliverDue()
      return await nextDueAt(database.read)
    },
    onFailure: (error) => {
      claimants.startOver()
      logger.error({ err: error }, 'the outbox could not be read')
    },
    retryMs: FIRST_RETRY_MS,
  })
  return { ...outboxOf({ clock, random }), ...queue }
}

type Fault = { type: string; code?: unknown; command?: unknown; responseCode?: unknown; message?: string }

/**
 * What may be logged of a failed delivery. A mail server repeats addresses, and sometimes the text, in its reply. So only
 * the code of a reply and the command are logged. Errors before a server replied are logged in full: they are about
 * connections and files.
 */
function deliveryFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { type: 'not an error' }
  const { code, command, responseCode, response } = error as Error & Record<string, unknown>
  const isAnswer = responseCode !== undefined || response !== undefined
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(command !== undefined && { command }),
    ...(responseCode !== undefined && { responseCode }),
    ...(!isAnswer && { message: error.message }),
  }
}
