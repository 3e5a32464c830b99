/** The recipient of a mail that only seems to be one: it is queued and removed like any other, and never sent. */
export const NOBODY = ''

/** A mail to one person. `text` holds the code or link on a line of its own; `html` says the same. */
export type MailMessage = { to: string; subject: string; text: string; html: string }

/** Hands a mail over for good, or rejects. `id` stays the same when a delivery is tried again. */
export type MailTransport = { deliver: (id: string, message: MailMessage) => Promise<void> }
