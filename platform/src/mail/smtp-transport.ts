import type { Transporter } from 'nodemailer'

import { envelope } from './compose.ts'
import type { MailTransport } from './message.ts'

/** How long to wait for a server that says nothing, in milliseconds; the outbox then tries again. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

/** Hands mail to the server at `url` (smtp:// or smtps://, with user and password if it wants them). */
export function smtpTransport(options: { url: string; from: string }): MailTransport {
  let transport: Transporter | undefined
  return {
    deliver: async (id, message) => {
      // Loaded with the first mail: the server starts sooner and holds less at rest.
      const { createTransport } = await import('nodemailer')
      transport ??= createTransport(
        { url: options.url, ...PATIENCE },
        { disableFileAccess: true, disableUrlAccess: true },
      )
      await transport.sendMail(envelope(id, options.from, message))
    },
  }
}
