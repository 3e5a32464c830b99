import { createTransport } from 'nodemailer'

import type { MailMessage } from './message.ts'

/** The message as it travels: RFC 5322 source with a text and an HTML part. `id` makes the Message-ID. */
export async function composeMail(id: string, from: string, message: MailMessage): Promise<Buffer> {
  const stream = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const { message: source } = await stream.sendMail({ ...envelope(id, from, message) })
  return Buffer.isBuffer(source) ? source : Buffer.from('')
}

export function envelope(id: string, from: string, message: MailMessage) {
  return {
    from,
    to: message.to,
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: `<${id}@${domainOf(from)}>`,
  }
}

function domainOf(address: string): string {
  return /@([^\s>]+)/u.exec(address)?.[1] ?? 'localhost'
}
