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
      transport ??= await connectTo(options.url)
      await transport.sendMail(envelope(id, options.from, message))
    },
  }
}

/** Connects to the server at `url` and signs in, if the URL has a login, but sends nothing. Rejects if that fails. */
export async function trySmtp(url: string): Promise<void> {
  const transport = await connectTo(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

async function connectTo(url: string): Promise<Transporter> {
  // Loaded with the first mail, so that the server starts faster and uses less memory.
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, ...PATIENCE }, { disableFileAccess: true, disableUrlAccess: true })
}
