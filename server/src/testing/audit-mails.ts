import { vi } from 'vitest'

import type { MailServer } from './mail-server.ts'

/** So near to the kill of its process a mail may have been accepted without a note of it. */
const UNNOTED_MS = 1_000
const ARRIVE = { timeout: 60_000, interval: 200 }
const TOKEN = /accept\?token=(\S+)$/mu

/**
 * Waits until every acknowledged invitation is mailed; then says what is amiss, a sentence each. The one mail that may
 * come twice is one whose first copy was accepted in the moment of one of the `kills`. Mails from before `since` do not
 * count.
 */
export async function auditMails(
  smtp: MailServer,
  {
    to,
    invitations,
    kills = [],
    since,
  }: { to: string; invitations: ReadonlySet<string>; kills?: readonly Date[]; since: Date },
): Promise<string[]> {
  const read = () =>
    smtp.mailsTo(to).flatMap((mail) => {
      if (mail.acceptedAt < since) return []
      const [, token] = TOKEN.exec(mail.text) ?? []
      return token === undefined ? [] : [{ token, id: mail.headers.get('message-id') ?? '', at: mail.acceptedAt }]
    })
  const missing = () => {
    const arrived = new Set(read().map(({ token }) => token))
    return [...invitations].filter((token) => !arrived.has(token))
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
    return first === n || fromKill < UNNOTED_MS ? [] : [`The mail ${id} came twice, ${fromKill} ms from a kill`]
  })
  return [
    ...missing().map((token) => `The mail with the token ${token} is missing`),
    ...mails.flatMap(({ token, id }) => (invitations.has(token) ? [] : [`The mail ${id} belongs to no invitation`])),
    ...twice,
  ]
}
