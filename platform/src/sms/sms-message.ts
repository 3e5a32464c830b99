import type { MailMessage, MailTransport } from '../mail/message.ts'

const SCHEME = 'tel:'

/** A text message to one phone. `to` is a number in E.164 format, such as +4915112345678. */
export type SmsMessage = { to: string; text: string }

/** Delivers a text message, or rejects. `id` is the same when a delivery is retried. */
export type SmsTransport = { deliver: (id: string, message: SmsMessage) => Promise<void> }

/**
 * A text message as a mail of the queue, so that the guarantees of the queue apply: nothing is sent for a change that was
 * rolled back, nothing is lost, and failures are retried. No mail address begins with `tel:`.
 */
export function bySms({ to, text }: SmsMessage): MailMessage {
  return { to: SCHEME + to, subject: '', text, html: '' }
}

/** Sends text messages of the queue with `sms` and all others with `mail`. */
export function mailAndSms(mail: MailTransport, sms: SmsTransport): MailTransport {
  return {
    deliver: async (id, message) => {
      if (!message.to.startsWith(SCHEME)) {
        await mail.deliver(id, message)
        return
      }
      await sms.deliver(id, { to: message.to.slice(SCHEME.length), text: message.text })
    },
  }
}
