import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { expect, onTestFinished, test, vi } from 'vitest'

import type { CardsPage } from '@marquee/contract/entities/card'
import type { Invitation } from '@marquee/contract/entities/invitation'
import type { NotificationsPage } from '@marquee/contract/entities/notification'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { TRIES_ALL } from '@marquee/platform/testing/each-database'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'
import { systemRandom } from '@marquee/platform/runtime/random'

import { clientOf } from './testing/api-client.ts'
import type { DeliveringSettings } from './testing/delivering-process.ts'
import { startMailServer } from './testing/mail-server.ts'
import { aPushService } from './testing/push-service.ts'
import { COMPILED } from './testing/server-process.ts'
import { testToken } from './testing/test-accounts.ts'

const PROGRAM = join(import.meta.dirname, 'testing/delivering-process.ts')
const POSTER = 'https://posters.example.org/a.jpg'
const HOUR_MS = 60 * 60_000
const WITHIN = { timeout: 60_000, interval: 100 }
/** How long after the last request of a round each of its processes is killed. At once it is in the midst of the requests. */
const KILLED_AFTER_MS = {
  SQLite: [[0], [30], [120]],
  'PostgreSQL, with two processes': [
    [0, 30],
    [30, 120],
  ],
}
type SetUp = keyof typeof KILLED_AFTER_MS
/** The queues are the same on both. Each is tested on both, and mails after a kill also in `faults.process.test.ts`. */
const SET_UPS = (Object.keys(KILLED_AFTER_MS) as SetUp[]).filter((setUp) => TRIES_ALL || setUp !== 'SQLite')

const [ana, ben] = ['ana', 'ben'].map((username) => {
  const userId = systemRandom.uuid()
  return { userId, username, email: `${userId}@example.org` }
}) as [DeliveringSettings['users'][number], DeliveringSettings['users'][number]]

/** Starts a process with this clock. `kill` ends it at once. */
async function aProcess(settings: DeliveringSettings) {
  const env = { ...process.env, ...COMPILED }
  const child = fork(PROGRAM, [JSON.stringify(settings)], { stdio: 'inherit', env })
  const gone = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)
  const [url] = (await Promise.race([once(child, 'message'), gone])) as [unknown]
  if (typeof url !== 'string') throw new Error('The process ended before it was ready')
  return { url, kill, as: (user: typeof ana) => clientOf({ url }, testToken(user)) }
}

/** A service for the messages of a webhook: the id and the title of each, in order. */
async function aChat() {
  const received: { id: string; title: string }[] = []
  const { port } = await aWebServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const { data } = JSON.parse(text) as { data: { card: { title: string } } }
      received.push({ id: String(request.headers['webhook-id']), title: data.card.title })
      response.writeHead(204).end()
    })
  })
  return { url: `http://chat.example:${port}/hook`, received }
}

const sorted = (values: Iterable<unknown>) => [...values].map(String).toSorted()

test.each(SET_UPS)(
  'killed processes on %s lose no announcement and repeat none, and a resent message keeps its id',
  async (setUp) => {
    const isEmbedded = setUp === 'SQLite'
    const dataDir = await mkdtemp(join(tmpdir(), 'marquee-delivery-'))
    const databaseUrl = isEmbedded ? undefined : await freshPostgresUrl()
    const [smtp, push, chat] = [await startMailServer(), await aPushService(), await aChat()]
    onTestFinished(async () => {
      await smtp.close()
      await rm(dataDir, { recursive: true, force: true })
    })
    let hours = 0
    /** In a later hour, what a dead process had claimed is free, and the next mail may be sent. */
    const start = async () => {
      hours += 2
      const settings = { dataDir, databaseUrl, smtpUrl: smtp.url, users: [ana, ben], aheadMs: hours * HOUR_MS }
      const one = await aProcess(settings)
      return [one, isEmbedded ? one : await aProcess(settings)] as const
    }
    let running = await start()
    const restart = async () => {
      await Promise.all(running.map(async ({ kill }) => await kill()))
      running = await start()
    }
    const asAna = running[0].as(ana)
    const asBen = running[0].as(ben)
    const { body: watchlist } = await asAna<Watchlist>('POST', '/watchlists', { name: 'Films' })
    const cards = `/watchlists/${watchlist.id}/cards`
    const invitation = await asAna<Invitation>('POST', `/watchlists/${watchlist.id}/invitations`, { username: 'ben' })
    await asBen('POST', '/invitations/acceptance', { token: invitation.body.token })
    await asBen('PUT', '/push/subscriptions', push.subscription())
    await asBen('PUT', '/notifications/settings', {
      groups: { draws: { inApp: true, push: true, mail: 'at-once' } },
    })
    const hook = { name: 'Chat', url: chat.url, format: 'standard', kinds: ['card.revealed'] }
    await asAna('POST', `/watchlists/${watchlist.id}/webhooks`, hook)

    for (const [round, delays] of KILLED_AFTER_MS[setUp].entries()) {
      const adding = [0, 1, 2, 3, 4, 5, 6, 7].map(async (n) => {
        const call = running[n % 2 === 0 ? 0 : 1].as(ana)
        const card = { title: `Film ${round}-${n}`, image: POSTER, revealImmediately: true }
        // A killed process does not answer.
        await call('POST', cards, card).catch(() => undefined)
      })
      if (!delays.includes(0)) await Promise.all(adding)
      const killing = delays.map(async (ms, place) => {
        await pause(ms)
        await running[place]?.kill()
      })
      await Promise.all(killing)
      await restart()
    }
    const read = running[0].as(ben)
    const { body: feed } = await read<CardsPage>('GET', `${cards}?limit=50`)
    const titles = sorted(feed.cards.map(({ title }) => title))
    expect(titles.length).toBeGreaterThan(7)

    const listed = async () => {
      const { body } = await read<NotificationsPage>('GET', '/notifications?limit=50')
      return body.notifications.filter(({ kind }) => kind === 'revealed').map(({ cardTitle }) => cardTitle)
    }
    const pushed = () => new Map(push.received.map(({ message }) => [message['tag'], message['title']])).values()
    const posted = () => new Map(chat.received.map(({ id, title }) => [id, title])).values()
    await vi.waitFor(async () => {
      expect(sorted(await listed())).toEqual(titles)
      expect(sorted(pushed())).toEqual(titles.map((title) => `ana revealed ${title}`))
      expect(sorted(posted())).toEqual(titles)
    }, WITHIN)
    await restart()
    const mailed = () => {
      const mails = new Map(smtp.mailsTo(ben.email).map(({ headers, text }) => [headers.get('message-id'), text]))
      return [...mails.values()].flatMap((text) =>
        [...text.matchAll(/^> (Film \S+) · Films$/gmu)].map(([, title]) => title),
      )
    }
    await vi.waitFor(() => expect(sorted(mailed())).toEqual(titles), WITHIN)
  },
)
