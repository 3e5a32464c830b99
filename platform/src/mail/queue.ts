import { setTimeout as pause } from 'node:timers/promises'

import type { AnyDb } from '../database/database.ts'
import { type Performing, type QueuePorts, startQueue } from '../queue/queue.ts'
import type { Clock } from '../runtime/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../runtime/durations.ts'
import type { Random } from '../runtime/random.ts'
import { faultOf, isRefusal } from './fault.ts'
import { type MailMessage, type MailOrigin, type MailTransport, NO_RECIPIENT } from './message.ts'
import { addMail, cancelMail, type MailRow, messageOf, removeMail, replaceMail, WAITING_MAILS } from './store.ts'

const CLAIM_MS = 10 * SECOND_MS
const RENEW_MS = 2 * SECOND_MS
/** The time between two attempts to record that a mail was sent. */
const NOTE_AGAIN_MS = 250
/** How many mails are sent at once, each on a connection of its own. */
const PARALLEL = 8
/** An address at which the mail server hangs holds back only mails to that address. */
const SLOW = { afterMs: 2 * SECOND_MS, most: 30 }
const FIRST_RETRY_MS = 2 * SECOND_MS
const LAST_RETRY_MS = 15 * MINUTE_MS
/** An invitation waits for an hour after the last one. */
const LONGEST_WAIT_MS = HOUR_MS
/** A mail is given up after this time, unless it has hardly been tried: the server may have been off. */
const GIVEN_UP_AFTER_MS = 3 * DAY_MS
const LEAST_ATTEMPTS = 20

export type MailOptions = {
  /** Later than now: the mail waits until then. */
  readonly dueAt?: Date
  /** It goes before all other mails: a person waits for its code. */
  readonly isUrgent?: boolean
  /** Passed to `onRefusal` if the address refuses the mail. */
  readonly origin?: MailOrigin
}

/** Joins the transaction that ends a mail which its address refused, or which was given up (`isRefused` is false). */
export type OnRefusal = (trx: AnyDb, origin: MailOrigin, isRefused: boolean) => Promise<void>

/**
 * A mail queue that loses nothing. `enqueue` writes in the caller's transaction, so a change that is rolled back sends no
 * mail. `wake`, called after the commit, sends what is due. A failed delivery is retried with growing delays, also by the
 * next process, until the address refuses the mail or three days are over. A mail is sent once, unless its process dies after
 * the mail server accepted it and before that is recorded (docs/decisions/0015-a-mail-is-sent-once.md).
 */
export type MailQueue = Outbox & {
  wake: () => void
  stop: () => Promise<void>
  /** Registers the function that is called for refused mails with an origin of this kind. Until then such mails wait. */
  onRefusal: (kind: string, call: OnRefusal) => void
}

type Outbox = {
  /** Returns the mail's id. */
  enqueue: (trx: AnyDb, message: MailMessage, options?: MailOptions) => Promise<string>
  /** Replaces the message of a waiting mail; false if the mail is being sent or was sent. */
  replace: (trx: AnyDb, id: string, message: MailMessage, origin?: MailOrigin) => Promise<boolean>
  /** Removes a mail unless it is being sent. */
  cancel: (trx: AnyDb, id: string) => Promise<void>
}

function outboxOf({ clock, random }: { clock: Clock; random: Random }): Outbox {
  return {
    enqueue: async (trx, message, { dueAt, isUrgent, origin } = {}) => {
      const [id, now] = [random.orderedId(), clock.now()]
      await addMail(trx, { id, message, now, dueAt: dueAt ?? now, isUrgent, origin })
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
    onRefusal: () => undefined,
    stop: async () => await Promise.resolve(),
  }
}

type Ports = QueuePorts & {
  readonly random: Random
  readonly transport: MailTransport
  /** Whether what a mail is about is over. Then it is not sent. */
  readonly isOver?: (origin: MailOrigin) => Promise<boolean>
}

export function startMailQueue({
  isAlone = false,
  ...ports
}: Ports & {
  /** No other process sends from this database, so claims that exist at the start belong to a dead process. */
  readonly isAlone?: boolean
}): MailQueue {
  const refusals = new Map<string, OnRefusal>()
  const queue = startQueue<MailRow>(ports, {
    name: 'mails',
    table: WAITING_MAILS,
    parallel: PARALLEL,
    slow: SLOW,
    claimMs: CLAIM_MS,
    renewMs: RENEW_MS,
    retryMs: FIRST_RETRY_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    isAlone,
    perform: async ([mail], performing) => await deliver(ports, mail, performing, refusals),
  })
  return {
    ...outboxOf(ports),
    ...queue,
    onRefusal: (kind, call) => {
      refusals.set(kind, call)
    },
  }
}

async function deliver(
  ports: Ports,
  mail: MailRow,
  { release }: Performing<MailRow>,
  refusals: ReadonlyMap<string, OnRefusal>,
): Promise<void> {
  const { database, transport, clock, logger } = ports
  const { id, attempts, recipient } = mail
  const origin = originOf(mail)
  const isOver = origin !== undefined && (await ports.isOver?.(origin)) === true
  try {
    // A decoy is not sent. It only takes as long as a mail.
    if (recipient !== NO_RECIPIENT && !isOver) await transport.deliver(id, messageOf(mail))
  } catch (error) {
    const isRefused = isRefusal(error)
    const isGivenUp = isRefused || isTooOld(clock, mail)
    logger.error({ fault: faultOf(error), mailId: id, attempts, isGivenUp }, 'a mail could not be delivered')
    await database.transaction(async (trx) => {
      if (isGivenUp && (await hasEnded(trx, mail, { refusals, isRefused }))) return
      const delay = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS)
      await release(trx, mail, clock.now().getTime() + delay)
    })
    return
  }
  await noteSent(ports, id)
}

/** Retries until it is recorded that a mail was sent, however long the database is unreachable. */
async function noteSent({ database, logger }: Ports, mailId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.transaction(async (trx) => await removeMail(trx, mailId))
      return
    } catch (error) {
      if (attempt === 1) logger.error({ err: error, mailId }, 'a mail was sent, but this could not be written down yet')
      await pause(NOTE_AGAIN_MS, undefined, { ref: false })
    }
  }
}

function isTooOld(clock: Clock, { created_at: createdAt, attempts }: MailRow): boolean {
  return clock.now().getTime() - Date.parse(createdAt) > GIVEN_UP_AFTER_MS && attempts >= LEAST_ATTEMPTS
}

/** Removes a mail and notifies the part of the program that sent it. False while that part has not called `onRefusal`. */
async function hasEnded(
  trx: AnyDb,
  mail: MailRow,
  { refusals, isRefused }: { refusals: ReadonlyMap<string, OnRefusal>; isRefused: boolean },
): Promise<boolean> {
  const origin = originOf(mail)
  const tell = origin && refusals.get(origin.kind)
  if (origin && !tell) return false
  await removeMail(trx, mail.id)
  if (origin) await tell?.(trx, origin, isRefused)
  return true
}

function originOf({ origin }: MailRow): MailOrigin | undefined {
  return origin === null ? undefined : (JSON.parse(origin) as MailOrigin)
}
