import { createTransport } from 'nodemailer'

import { envelope } from './compose.ts'
import type { MailTransport } from './message.ts'

/** Hands mail to the server at `url` (smtp:// or smtps://, with user and password if it wants them). */
export function smtpTransport(options: { url: string; from: string }): MailTransport {
  const transport = createTransport(options.url, { disableFileAccess: true, disableUrlAccess: true })
  return {
    deliver: async (id, message) => {
      await transport.sendMail(envelope(id, options.from, message))
    },
  }
}
