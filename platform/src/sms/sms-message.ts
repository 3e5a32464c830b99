import type { MailMessage, MailTransport } from '../mail/message.ts'

const SCHEME = 'tel:'

/** A text message to one phone. `to` is a number in the form of E.164, such as +4915112345678. */
export type SmsMessage = { to: string; text: string }

/** Hands a text message over for good, or rejects. `id` stays the same when a delivery is tried again. */
export type SmsTransport = { deliver: (id: string, message: SmsMessage) => Promise<void> }

/**
 * A text message as the outbox keeps it, among the mails: what is said of mails there (nothing is sent for a change that
 * was rolled back, nothing is lost, what fails is tried again) so holds for it too. No mail address begins with `tel:`.
 */
export function bySms({ to, text }: SmsMessage): MailMessage {
  return { to: SCHEME + to, subject: '', text, html: '' }
}

/** Parts the outbox again: text messages to `sms`, all else to `mail`. */
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
