import type { MailMessage } from './message.ts'

const AS_IT_IS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'

/**
 * The message as a file: RFC 5322 source with a text and an HTML part. The text is not encoded, because an encoding would
 * break a long link over several lines.
 */
export async function composeMail(id: string, from: string, message: MailMessage): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const stream = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const text = { raw: AS_IT_IS + message.text }
  const { message: source } = await stream.sendMail({ ...envelope(id, from, message), text })
  return Buffer.isBuffer(source) ? source : Buffer.from('')
}

/** The message for nodemailer. The recipient is an object, so that it is not parsed as a list. `id` is in the Message-ID. */
export function envelope(id: string, from: string, message: MailMessage) {
  return {
    from,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    ...(message.calendar && { icalEvent: { filename: 'calendar.ics', ...message.calendar } }),
    ...(message.unsubscribeUrl !== undefined && { headers: unsubscribeHeaders(message.unsubscribeUrl) }),
    messageId: `<${id}@${domainOf(from)}>`,
  }
}

function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function domainOf(address: string): string {
  return /@([^\s>]+)/u.exec(address)?.[1] ?? 'localhost'
}
