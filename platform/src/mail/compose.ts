import type { MailMessage } from './message.ts'

const AS_IT_IS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'

/**
 * The message as a file to read: RFC 5322 source with a text and an HTML part. The text stands there as it is, since
 * encoded for the journey a long link would be broken over several lines.
 */
export async function composeMail(id: string, from: string, message: MailMessage): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const stream = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const text = { raw: AS_IT_IS + message.text }
  const { message: source } = await stream.sendMail({ ...envelope(id, from, message), text })
  return Buffer.isBuffer(source) ? source : Buffer.from('')
}

/** What a mailer is given. The address is handed over as one, not as a list to parse. `id` makes the Message-ID. */
export function envelope(id: string, from: string, message: MailMessage) {
  return {
    from,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: `<${id}@${domainOf(from)}>`,
  }
}

function domainOf(address: string): string {
  return /@([^\s>]+)/u.exec(address)?.[1] ?? 'localhost'
}
