import type { Transporter } from 'nodemailer'

import { envelope } from './compose.ts'
import type { MailTransport } from './message.ts'

/** How long to wait for a silent server, in milliseconds. The queue then retries. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

/** Sends mail through the server at `url` (smtp:// or smtps://, with user and password if required). */
export function smtpTransport(options: { url: string; from: string }): MailTransport {
  let transport: Transporter | undefined
  return {
    deliver: async (id, message) => {
      // Loaded with the first mail, so that the server starts faster and uses less memory.
      const { createTransport } = await import('nodemailer')
      transport ??= createTransport(
        { url: options.url, ...PATIENCE },
        { disableFileAccess: true, disableUrlAccess: true },
      )
      await transport.sendMail(envelope(id, options.from, message))
    },
  }
}
