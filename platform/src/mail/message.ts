/** The recipient of a decoy mail, which is queued and removed like any other but never sent. */
export const NOBODY = ''

/** A mail to one person. `text` has the code or link on a line of its own; `html` has the same content. */
export type MailMessage = { to: string; subject: string; text: string; html: string }

/** Delivers a mail, or rejects. `id` is the same when a delivery is retried. */
export type MailTransport = { deliver: (id: string, message: MailMessage) => Promise<void> }
