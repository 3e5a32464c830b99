import { setTimeout as pause } from 'node:timers/promises'

import { vi } from 'vitest'

import type { Invitation } from '@marquee/contract/entities/invitation'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'

import type { MailServer } from './mail-server.ts'
import { makeAccount, signUp } from './sign-up.ts'

/** The daily limit of invitations by mail to one user. */
const MOST_MAILS = 20
const PACE_MS = 100
/** A mail may arrive twice if its process was killed this shortly after it was accepted. */
const UNNOTED_MS = 1_000
const ARRIVE = { timeout: 60_000, interval: 200 }
const TOKEN = /accept\?token=(\S+)$/mu
const CODE = /^(\d{6})$/mu

/**
 * Makes accounts for a host and a guest. The host invites the guest to one watchlist after the other, so that each invitation is
 * mailed at once. Each request is repeated with the same key until it is answered.
 */
export async function startMailLoad(smtp: MailServer, { url, name = '' }: { url: string; name?: string }) {
  const codeFor = async (email: string) => await smtp.findIn(email, CODE)
  const guest = `guest${name}`
  const [idToken] = await Promise.all([
    signUp({ url, name: `host${name}`, codeFor }),
    makeAccount({ url, name: guest, codeFor }),
  ])
  const invitations = new Set<string>()
  let isOver = false

  async function send<T>(path: string, body: object): Promise<T> {
    const headers = {
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
      'idempotency-key': systemRandom.uuid(),
    }
    for (;;) {
      const response = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
        () => undefined,
      )
      if (response?.status === 201) {
        const reply = await response.json().catch(() => undefined)
        if (reply !== undefined) return reply as T
      } else if (response !== undefined && response.status < 500) {
        throw new Error(`${path} was answered with ${response.status}`)
      }
      await pause(PACE_MS)
    }
  }

  const making = Array.from({ length: MOST_MAILS }, async () => await send<Watchlist>('/watchlists', { name: 'Films' }))
  const watchlists = await Promise.all(making)

  async function invite(): Promise<void> {
    for (const { id } of watchlists) {
      if (isOver) return
      const { token } = await send<Invitation>(`/watchlists/${id}/invitations`, { username: guest })
      invitations.add(token)
      await pause(PACE_MS)
    }
  }
  const ended = invite()
  ended.catch(() => undefined) // rejects in `audit`

  return {
    /**
     * Waits until every acknowledged invitation is mailed. Returns a sentence for each one that is missing, and for each that
     * arrived twice, unless its first copy was accepted at the time of one of the `kills`.
     */
    audit: async (kills: readonly Date[] = []): Promise<string[]> => {
      isOver = true
      await ended
      return await auditMails(smtp, { to: `${guest}@example.org`, invitations, kills })
    },
  }
}

async function auditMails(
  smtp: MailServer,
  { to, invitations, kills }: { to: string; invitations: ReadonlySet<string>; kills: readonly Date[] },
): Promise<string[]> {
  const read = () =>
    smtp.mailsTo(to).flatMap((mail) => {
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
