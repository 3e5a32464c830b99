/** The recipient of a decoy mail, which is queued and removed like any other but never sent. */
export const NO_RECIPIENT = ''

/** A calendar entry that calendars update or remove by its UID: the source of an iCalendar file and its method. */
export type MailCalendar = { method: 'PUBLISH' | 'CANCEL'; content: string }

/** A mail to one person. `text` has the code or link on a line of its own; `html` has the same content. */
export type MailMessage = {
  to: string
  subject: string
  text: string
  html: string
  calendar?: MailCalendar
  /** Where mail programs send a POST request if the reader unsubscribes with one click (RFC 8058). */
  unsubscribeUrl?: string
}

/** Delivers a mail, or rejects. `id` is the same when a delivery is retried. */
export type MailTransport = { deliver: (id: string, message: MailMessage) => Promise<void> }

/** What a mail is about, for the parts of the program that are notified if its address refuses it, or know that it is over. */
export type MailOrigin = { readonly kind: string } & Readonly<Record<string, string>>
