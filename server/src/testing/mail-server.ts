import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'

import { type ReceivedMail, readMail } from './read-mail.ts'

const ARRIVES_WITHIN_MS = 60_000

type AcceptedMail = ReceivedMail & { acceptedAt: Date }

/** How the mail server treats its clients. */
type Mood = 'takes' | 'refuses' | 'holds the connection' | 'holds the message'

export type MailServer = {
  url: string
  /** The accepted mails for an address, oldest first. */
  mailsTo: (email: string) => AcceptedMail[]
  /** Waits for a mail to the address with a part that matches; returns the match. */
  findIn: (email: string, wanted: RegExp) => Promise<string>
  /** Treats new mails in this way; resolves when one has arrived. */
  become: (mood: Mood) => Promise<void>
  close: () => Promise<void>
}

/** A real SMTP server on a free port, which keeps the mails that it accepts. */
export async function startMailServer(): Promise<MailServer> {
  const accepted: AcceptedMail[] = []
  let mood: Mood = 'takes'
  let came = Promise.withResolvers<void>()

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onConnect: (_session, done) => {
      if (mood === 'refuses') done(Object.assign(new Error('Not now'), { responseCode: 421 }))
      else if (mood !== 'holds the connection') done()
      if (mood !== 'holds the message') came.resolve()
    },
    onData: (stream, { envelope }, done) => {
      // A mail that is being held is never accepted, even if its sender is still connected later.
      const isHeld = mood === 'holds the message'
      const keep = (source: string): void => {
        came.resolve()
        if (isHeld) return
        const recipients = envelope.rcptTo.map(({ address: recipient }) => recipient)
        accepted.push({ ...readMail(source, recipients), acceptedAt: new Date() })
        done()
      }
      text(stream).then(keep, done)
    },
  })
  server.on('error', () => undefined) // a killed sender breaks its connection
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const mailsTo = (email: string) => accepted.filter(({ recipients }) => recipients.includes(email))

  return {
    url: `smtp://127.0.0.1:${port}`,
    mailsTo,
    findIn: async (email, wanted) =>
      await vi.waitFor(
        () => {
          const [, found] = mailsTo(email).flatMap((mail) => wanted.exec(mail.text) ?? [])
          if (found === undefined) throw new Error(`No mail to ${email} has ${wanted.source}`)
          return found
        },
        { timeout: ARRIVES_WITHIN_MS, interval: 50 },
      ),
    become: async (next) => {
      mood = next
      came = Promise.withResolvers()
      await came.promise
    },
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(resolve)
      })
    },
  }
}
