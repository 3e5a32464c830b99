import pino from 'pino'
import { expect, test, vi } from 'vitest'

import { systemClock } from '../runtime/clock.ts'
import { systemRandom } from '../runtime/random.ts'
import { eachDatabase } from '../testing/each-database.ts'
import type { MailMessage, MailOrigin, MailTransport } from './message.ts'
import { mailMigrations } from './migrations/index.ts'
import { type MailQueue, startMailQueue } from './queue.ts'
import { addMail, type MailTables } from './store.ts'
import { WITHIN } from '../testing/within.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const aMail = (subject: string): MailMessage => ({ to: 'ben@example.org', subject, text: subject, html: subject })

eachDatabase<MailTables>({ mail: mailMigrations }, (theDatabase) => {
  /** How far the clocks of all processes are ahead. */
  let aheadOfAll = 0

  /** Waits as long as it takes, but not for the five seconds in which processes with lapsed claims are watched. */
  async function whileTimePasses(queue: MailQueue, check: () => void): Promise<void> {
    await vi.waitFor(() => {
      aheadOfAll += SECOND
      queue.wake()
      check()
    }, WITHIN)
  }

  function aProcess(transport: MailTransport, aheadMs = 0, database = theDatabase(), isAlone = false): MailQueue {
    const clock = { now: () => new Date(new Date().getTime() + aheadMs + aheadOfAll) }
    const logger = pino({ level: 'silent' })
    const ports = { clock, random: systemRandom, logger, isAlone }
    return startMailQueue({ database: database.withTables(), transport, ...ports })
  }

  /** A process's connection to the database, which can be cut. */
  function aLine() {
    const real = theDatabase()
    let isCut = false
    let inVain = 0
    const transaction: typeof real.transaction = async (work) => {
      if (!isCut) return await real.transaction(work)
      inVain += 1
      throw new Error('Connection terminated unexpectedly')
    }
    const database: typeof real = { ...real, transaction, withTables: () => database as never }
    return {
      database,
      cut: () => {
        isCut = true
      },
      mend: () => {
        isCut = false
      },
      triesInVain: () => inVain,
    }
  }

  function aMailbox() {
    const subjects: string[] = []
    return { subjects, deliver: async (_id: string, message: MailMessage) => void subjects.push(message.subject) }
  }

  async function write(queue: MailQueue, subject: string): Promise<void> {
    await theDatabase().transaction(async (trx) => {
      await queue.enqueue(trx, aMail(subject))
    })
    queue.wake()
  }

  test('a queued mail keeps its calendar entry and unsubscribe URL', async () => {
    const delivered: MailMessage[] = []
    const queue = aProcess({ deliver: async (_id, message) => void delivered.push(message) })
    const mail: MailMessage = {
      ...aMail('Hello'),
      calendar: { method: 'PUBLISH', content: 'BEGIN:VCALENDAR' },
      unsubscribeUrl: 'https://marquee.example.org/unsubscribe',
    }

    await theDatabase().transaction(async (trx) => void (await queue.enqueue(trx, mail)))
    queue.wake()
    await vi.waitFor(() => {
      expect(delivered).toEqual([mail])
    }, WITHIN)
    await queue.stop()
  })

  test('a mail is sent after the commit and removed from the outbox', async () => {
    const mailbox = aMailbox()
    const queue = aProcess(mailbox)

    await write(queue, 'Hello')
    await vi.waitFor(() => {
      expect(mailbox.subjects).toEqual(['Hello'])
    }, WITHIN)
    await queue.stop()

    expect(await theDatabase().read.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
  })

  test('a mail that is not yet due can be replaced or cancelled', async () => {
    const mailbox = aMailbox()
    const [now, later] = [aProcess(mailbox), new Date(new Date().getTime() + 10 * MINUTE)]
    const ids = await theDatabase().transaction(async (trx) => [
      await now.enqueue(trx, aMail('Replaced'), { dueAt: later }),
      await now.enqueue(trx, aMail('Cancelled'), { dueAt: later }),
    ])
    const outcomes = await theDatabase().transaction(async (trx) => {
      await now.cancel(trx, ids[1] ?? '')
      return [await now.replace(trx, ids[0] ?? '', aMail('New')), await now.replace(trx, ids[1] ?? '', aMail('New'))]
    })
    await write(now, 'At once')
    await vi.waitFor(() => {
      expect(mailbox.subjects).toEqual(['At once'])
    }, WITHIN)
    await now.stop()
    const afterwards = aProcess(mailbox, 11 * MINUTE)
    await vi.waitFor(() => {
      expect(mailbox.subjects).toEqual(['At once', 'New'])
    }, WITHIN)
    await afterwards.stop()

    expect(outcomes).toEqual([true, false])
  })

  test('a mail that is being sent can be neither replaced nor cancelled', async () => {
    const mailbox = aMailbox()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isSending = false
    const queue = aProcess({
      deliver: async (id, message) => {
        isSending = true
        await held
        await mailbox.deliver(id, message)
      },
    })
    const id = await theDatabase().transaction(async (trx) => await queue.enqueue(trx, aMail('Hello')))
    queue.wake()
    await vi.waitFor(() => {
      expect(isSending).toBe(true)
    }, WITHIN)
    const replaced = await theDatabase().transaction(async (trx) => {
      await queue.cancel(trx, id)
      return await queue.replace(trx, id, aMail('New'))
    })
    release()
    await queue.stop()

    expect([replaced, mailbox.subjects]).toEqual([false, ['Hello']])
  })

  test('a mail that arrives while the queue goes to sleep wakes it up', async () => {
    const mailbox = aMailbox()
    const real = theDatabase()
    let comeInBetween: (() => Promise<void>) | undefined
    // The queue reads before it sleeps. The result of that read is held back until another mail has arrived.
    const read = real.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const come = comeInBetween
        comeInBetween = undefined
        await come?.()
        return result
      },
    })
    const clock = { now: () => new Date() }
    const logger = pino({ level: 'silent' })
    const database = { ...real, read } as unknown as Parameters<typeof startMailQueue>[0]['database']
    const queue = startMailQueue({ database, transport: mailbox, clock, random: systemRandom, logger })

    comeInBetween = async () => {
      await write(queue, 'In between')
    }
    queue.wake()

    await vi.waitFor(() => {
      expect(mailbox.subjects).toEqual(['In between'])
    }, WITHIN)
    await queue.stop()
  })

  // Evidence: asvs-2.3.3
  test('a mail of a change that was rolled back is never sent', async () => {
    const mailbox = aMailbox()
    const queue = aProcess(mailbox)

    const change = theDatabase().transaction(async (trx) => {
      await queue.enqueue(trx, aMail('Never'))
      throw new Error('changed my mind')
    })
    await expect(change).rejects.toThrow('changed my mind')
    await write(queue, 'Next')
    await vi.waitFor(() => {
      expect(mailbox.subjects).toContain('Next')
    }, WITHIN)
    await queue.stop()

    expect(mailbox.subjects).toEqual(['Next'])
  })

  test('a mail that could not be delivered is sent again later', async () => {
    const refusing = aProcess({ deliver: async () => await Promise.reject(new Error('Try again later')) })
    await write(refusing, 'Again')
    await refusing.stop()
    const mailbox = aMailbox()
    const later = aProcess(mailbox, MINUTE)

    await vi.waitFor(() => {
      expect(mailbox.subjects).toEqual(['Again'])
    }, WITHIN)
    await later.stop()
  })

  test('a mail that was sent just before a database outage is not sent again afterwards', async () => {
    const line = aLine()
    const [mine, theirs] = [aMailbox(), aMailbox()]
    const cutOff = aProcess(
      {
        deliver: async (id, message) => {
          await mine.deliver(id, message)
          line.cut()
        },
      },
      0,
      line.database,
    )
    await write(cutOff, 'Once')
    await vi.waitFor(() => {
      expect(line.triesInVain()).toBeGreaterThan(0)
    }, WITHIN)

    // By the clock of this process the claim lapsed long ago.
    const other = aProcess(theirs, MINUTE)
    await vi.waitFor(() => {
      expect(line.triesInVain()).toBeGreaterThan(2)
    }, WITHIN)
    line.mend()
    await vi.waitFor(async () => {
      expect(await theDatabase().read.selectFrom('mail_outbox').select('id').execute()).toEqual([])
    }, WITHIN)
    await Promise.all([cutOff.stop(), other.stop()])

    expect([mine.subjects, theirs.subjects]).toEqual([['Once'], []])
  })

  /** Mails that a killed process had claimed. */
  async function leaveClaims(by: string, count: number, claimedUntil: number): Promise<void> {
    await theDatabase().transaction(async (trx) => {
      for (let n = 1; n <= count; n += 1) {
        const now = new Date()
        await addMail(trx, { id: `${by}-${n}`, message: aMail(`${by} ${n}`), now, dueAt: now })
      }
      await trx
        .updateTable('mail_outbox')
        .set({ claimed_by: by, due_at: claimedUntil })
        .where('claimed_by', 'is', null)
        .execute()
    })
  }

  test('a process leaves mails that another one is sending, and takes over the mails of dead processes', async () => {
    const taken = Promise.withResolvers<undefined>()
    const never = new Promise<void>(() => undefined)
    const line = aLine()
    const deliver = async (): Promise<void> => {
      taken.resolve(undefined)
      await never
    }
    const dead = aProcess({ deliver }, 0, line.database)
    await write(dead, 'Taken over')
    await taken.promise
    const mailbox = aMailbox()

    const atOnce = aProcess(mailbox)
    await atOnce.stop()
    const sentAtOnce = [...mailbox.subjects]
    // A dead process can no longer change anything.
    line.cut()
    await leaveClaims('killed', 30, new Date().getTime() - MINUTE)
    await leaveClaims('killed before', 30, new Date().getTime() - MINUTE)
    const soon = aProcess(mailbox, MINUTE)
    await whileTimePasses(soon, () => {
      expect(mailbox.subjects).toHaveLength(61)
    })
    await soon.stop()

    expect(sentAtOnce).toEqual([])
    expect(mailbox.subjects).toContain('Taken over')
    expect(new Set(mailbox.subjects).size).toBe(61)
  })

  test('addresses for which the mail server hangs delay only their own mails', async () => {
    const held = Promise.withResolvers<undefined>()
    const mailbox = aMailbox()
    const begun: string[] = []
    const queue = aProcess({
      deliver: async (id, message) => {
        if (!message.to.startsWith('hangs')) return await mailbox.deliver(id, message)
        begun.push(message.to)
        await held.promise
      },
    })
    await theDatabase().transaction(async (trx) => {
      for (let n = 0; n < 24; n += 1) await queue.enqueue(trx, { ...aMail('Held'), to: `hangs${n % 12}@example.org` })
    })
    queue.wake()
    await write(queue, 'Not held')
    await vi.waitFor(() => expect(mailbox.subjects).toEqual(['Not held']), WITHIN)
    await vi.waitFor(() => expect(new Set(begun).size).toBe(12), WITHIN)
    const atOnce = begun.length
    held.resolve(undefined)
    await vi.waitFor(() => expect(begun).toHaveLength(24), WITHIN)
    await queue.stop()

    expect(atOnce).toBe(12)
  })

  test('hundreds of mails to an address for which the mail server hangs delay no other mail', async () => {
    const held = Promise.withResolvers<undefined>()
    const mailbox = aMailbox()
    const queue = aProcess({
      deliver: async (id, message) => {
        if (message.to === 'Hangs@example.org') await held.promise
        else await mailbox.deliver(id, message)
      },
    })
    await theDatabase().transaction(async (trx) => {
      for (let n = 0; n < 200; n += 1) {
        await queue.enqueue(trx, { ...aMail('Held'), to: 'Hangs@example.org' }, { dueAt: new Date(0) })
      }
      await queue.enqueue(trx, aMail('Not held'))
    })
    queue.wake()
    await vi.waitFor(() => expect(mailbox.subjects).toEqual(['Not held']), WITHIN)
    await theDatabase().transaction(async (trx) => {
      await trx.deleteFrom('mail_outbox').where('claimed_by', 'is', null).execute()
    })
    held.resolve(undefined)
    await queue.stop()
  })

  test('a code is sent before hundreds of mails that have been due longer', async () => {
    const mailbox = aMailbox()
    const setUp = aProcess(mailbox)
    await setUp.stop()
    await theDatabase().transaction(async (trx) => {
      for (let n = 0; n < 300; n += 1) {
        await setUp.enqueue(trx, { ...aMail('Later'), to: `ben${n}@example.org` }, { dueAt: new Date(0) })
      }
      await setUp.enqueue(trx, aMail('Code'), { isUrgent: true })
    })

    const queue = aProcess(mailbox)
    await vi.waitFor(() => expect(mailbox.subjects).toHaveLength(301), WITHIN)
    await queue.stop()

    expect(mailbox.subjects[0]).toBe('Code')
  })

  const refusal = (responseCode: number, command: string) =>
    Object.assign(new Error('No'), { code: 'EENVELOPE', responseCode, response: 'No', command })

  test('a permanently rejected mail is not sent again, and its sender is informed', async () => {
    let attempts = 0
    const told: [MailOrigin, boolean][] = []
    const queue = aProcess({
      deliver: async () => {
        attempts += 1
        throw refusal(550, 'RCPT TO')
      },
    })
    queue.onRefusal('invitation', async (_trx, origin, isRefused) => void told.push([origin, isRefused]))
    const origin = { kind: 'invitation', linkId: 'link' }
    await theDatabase().transaction(async (trx) => void (await queue.enqueue(trx, aMail('Hello'), { origin })))
    queue.wake()
    await vi.waitFor(async () => {
      expect(await theDatabase().read.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
    }, WITHIN)
    await queue.stop()

    expect([attempts, told]).toEqual([1, [[origin, true]]])
  })

  test('a mail whose subject is over is removed unsent, and other mails are sent', async () => {
    const mailbox = aMailbox()
    const ports = { database: theDatabase().withTables(), clock: systemClock, random: systemRandom }
    const isOver = async ({ linkId }: MailOrigin) => await Promise.resolve(linkId === 'used')
    const queue = startMailQueue({ ...ports, logger: pino({ level: 'silent' }), transport: mailbox, isOver })
    await theDatabase().transaction(async (trx) => {
      for (const linkId of ['used', 'open'])
        await queue.enqueue(trx, aMail(linkId), { origin: { kind: 'invitation', linkId } })
    })
    queue.wake()
    await vi.waitFor(async () => {
      expect(await theDatabase().read.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
    }, WITHIN)
    await queue.stop()

    expect(mailbox.subjects).toEqual(['open'])
  })

  test.each([
    ['a temporary refusal', 451, 'RCPT TO'],
    ['a refusal of the sending server', 550, 'MAIL FROM'],
    ['a wrong password', 535, 'AUTH PLAIN'],
  ])('a mail that fails with %s is tried again for three days', async (_what, responseCode, command) => {
    const refusing = { deliver: async () => await Promise.reject(refusal(responseCode, command)) }
    const attemptsSoFar = async () =>
      (await theDatabase().read.selectFrom('mail_outbox').select(['attempts', 'claimed_by']).execute()).map(
        ({ attempts, claimed_by: by }) => ({ attempts, isFree: by === null }),
      )
    const queue = aProcess(refusing)
    const origin = { kind: 'invitation', linkId: 'link' }
    await theDatabase().transaction(async (trx) => void (await queue.enqueue(trx, aMail('Hello'), { origin })))
    queue.wake()
    await vi.waitFor(async () => expect(await attemptsSoFar()).toEqual([{ attempts: 1, isFree: true }]), WITHIN)
    await queue.stop()

    // As many attempts as three days bring.
    await theDatabase().transaction(
      async (trx) => await trx.updateTable('mail_outbox').set({ attempts: 290 }).execute(),
    )
    const told: [MailOrigin, boolean][] = []
    const later = (days: number) => {
      const process = aProcess(refusing, days * DAY)
      process.onRefusal('invitation', async (_trx, given, isRefused) => void told.push([given, isRefused]))
      return process
    }
    const twoDaysLater = later(2)
    await vi.waitFor(async () => expect(await attemptsSoFar()).toEqual([{ attempts: 291, isFree: true }]), WITHIN)
    await twoDaysLater.stop()
    const fourDaysLater = later(4)
    await vi.waitFor(async () => expect(await attemptsSoFar()).toEqual([]), WITHIN)
    await fourDaysLater.stop()
    expect(told).toEqual([[origin, false]])
  })

  test('a mail that a process claimed while its clock was two days ahead is sent soon', async () => {
    const mailbox = aMailbox()
    await leaveClaims('ahead', 1, new Date().getTime() + 2 * DAY)

    const queue = aProcess(mailbox)
    await whileTimePasses(queue, () => {
      expect(mailbox.subjects).toHaveLength(1)
    })
    await queue.stop()
  })

  test('a single process sends the mails of a dead one at once', async () => {
    const mailbox = aMailbox()
    await leaveClaims('dead', 30, new Date().getTime() + MINUTE)
    const queue = aProcess(mailbox, 0, theDatabase(), true)
    await vi.waitFor(() => {
      expect(mailbox.subjects).toHaveLength(30)
    }, WITHIN)
    await queue.stop()
  })
})
