import { vi } from 'vitest'

import type { MailServer } from './mail-server.ts'
import type { Acknowledged } from './write-load.ts'

/** So near to the kill of its process a mail may have been accepted without a note of it (decision 15). */
const UNNOTED_MS = 1_000
const ARRIVE = { timeout: 60_000, interval: 200 }
const TOKEN = /accept\?token=(\S+)$/mu

export type MailFindings = {
  missing: string[]
  /** Mails that nobody was told of. */
  unknown: string[]
  twice: string[]
}

export const NO_MAIL_AMISS: MailFindings = { missing: [], unknown: [], twice: [] }

/**
 * Waits until every acknowledged invitation is mailed; then says what is amiss. The one mail that may come twice is one
 * whose first copy was accepted in the moment of one of the `kills`. Mails from before `since` are none of it.
 */
export async function auditMails(
  smtp: MailServer,
  { to, written, kills = [], since }: { to: string; written: Acknowledged; kills?: readonly Date[]; since: Date },
): Promise<MailFindings> {
  const read = () =>
    smtp.mailsTo(to).flatMap((mail) => {
      if (mail.acceptedAt < since) return []
      const [, token] = TOKEN.exec(mail.text) ?? []
      return token === undefined ? [] : [{ token, id: mail.headers.get('message-id') ?? '', at: mail.acceptedAt }]
    })
  const missing = () => {
    const arrived = new Set(read().map(({ token }) => token))
    return [...written.invitations].filter((token) => !arrived.has(token))
  }
  await vi
    .waitFor(() => {
      if (missing().length > 0) throw new Error('Some have not arrived yet')
    }, ARRIVE)
    .catch(() => undefined)

  const mails = read()
  const twice = mails.flatMap(({ token, id }, n) => {
    const first = mails.findIndex((mail) => mail.token === token)
    const at = mails[first]?.at.getTime() ?? 0
    const fromKill = Math.min(...kills.map((kill) => Math.abs(kill.getTime() - at)))
    return first === n || fromKill < UNNOTED_MS ? [] : [`${id}, accepted ${fromKill} ms from a kill`]
  })
  return {
    missing: missing(),
    unknown: mails.filter(({ token }) => !written.invitations.has(token)).map(({ id }) => id),
    twice,
  }
}
