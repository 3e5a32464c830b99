import { vi } from 'vitest'

import type { MailServer } from './mail-server.ts'
import type { Acknowledged } from './write-load.ts'

/** Up to that long before a process is killed a mail may have been accepted without a note of it (decision 13). */
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
 * whose first copy was accepted in the moment before one of the `kills`.
 */
export async function auditMails(
  smtp: MailServer,
  { to, written, kills = [] }: { to: string; written: Acknowledged; kills?: readonly Date[] },
): Promise<MailFindings> {
  const read = () =>
    smtp.mailsTo(to).flatMap((mail) => {
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
  const isExcused = (at: Date) => kills.some((kill) => kill >= at && kill.getTime() - at.getTime() < UNNOTED_MS)
  const twice = mails.filter(({ token, at }, n) => {
    const first = mails.findIndex((mail) => mail.token === token)
    return first < n && !isExcused(mails[first]?.at ?? at)
  })
  return {
    missing: missing(),
    unknown: mails.filter(({ token }) => !written.invitations.has(token)).map(({ id }) => id),
    twice: twice.map(({ id }) => id),
  }
}
