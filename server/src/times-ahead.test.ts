import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { eachDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { pushKey, webhookKey } from './master-keys.ts'
import { productMigrations } from './migrations/index.ts'
import type { Ports } from './ports.ts'
import { MediaServerFault } from './rooms/movies/media-servers/service.ts'
import { SEEN_WITHIN_MS } from './rooms/news/notifications/delivery.ts'
import type { Tables } from './tables.ts'
import { type Caller, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist, emailOf } from './testing/make.ts'
import { NO_MEDIA_SERVERS } from './testing/media-servers.ts'
import { movableClock } from './testing/movable-clock.ts'
import { aPushService } from './testing/push-service.ts'
import { startApp, type TestApp } from './testing/start-app.ts'

const HERE = {
  allowsHttp: true,
  lookup: async () => await Promise.resolve(['127.0.0.1']),
  allowAddress: () => true,
  allowPort: () => true,
}
const TWO_DAYS_MS = 2 * 24 * 60 * 60_000
const jpeg = await sharp({ create: { width: 60, height: 90, channels: 3, background: 'teal' } })
  .jpeg()
  .toBuffer()

// The clock of a machine was two days ahead for a while. Each test causes waits and claims in that time.
eachDatabase<Tables>({ product: productMigrations }, (theDatabase) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  /** An app whose clock is two days ahead. `setRight` ends it, and starts one with the right clock. */
  async function anAppAhead(ports: Partial<Ports> = {}) {
    const clock = movableClock()
    clock.moveAhead(TWO_DAYS_MS)
    const keys = { webhookKeys: [webhookKey(Buffer.alloc(32, 1))], pushKeys: [pushKey(Buffer.alloc(32, 1))] }
    const all = { clock, ...keys, webhookFetch: HERE, pushFetch: HERE, imageFetch: HERE, announceAfterMs: 0, ...ports }
    const ahead = await startApp(theDatabase().withTables(), all)
    const setRight = async (): Promise<TestApp> => {
      await ahead.stop()
      clock.moveAhead(-TWO_DAYS_MS)
      const app = await startApp(theDatabase().withTables(), all)
      stops.push(app.stop)
      return app
    }
    return { ahead, clock, setRight }
  }

  async function aService() {
    let status = 503
    const received: string[] = []
    const { port } = await aWebServer((request, response) => {
      received.push(request.url ?? '')
      response.writeHead(status, { 'content-type': 'image/jpeg' }).end(status === 200 ? jpeg : '')
    })
    return { url: `http://chat.example:${port}/hook`, received, recover: () => void (status = 200) }
  }

  async function aScene(app: TestApp) {
    const [ana, ben] = [aUser('ana'), aUser(`ben ${aUser().userId.slice(0, 8)}`)]
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })
    return { ana, ben, watchlist, params: { watchlistId: watchlist.id } }
  }
  const until = async (check: () => unknown) => await vi.waitFor(check, WITHIN)
  const kinds = async (app: TestApp, user: Caller) =>
    (await callOk(app, ENDPOINTS.listNotifications, user)).notifications.map(({ kind }) => kind)

  test('a webhook that failed while the clock was ahead is retried, and gets new messages at once', async () => {
    const service = await aService()
    const { ahead, setRight } = await anAppAhead()
    const { ana, params, watchlist } = await aScene(ahead)
    const body = { name: 'Chat', url: service.url, format: 'slack', kinds: ['card.revealed'] }
    const { id: webhookId } = await callOk(ahead, ENDPOINTS.createWebhook, ana, { params, body })
    await aCard(ahead, { inside: watchlist, by: ana, status: 'REVEALED' })
    const log = async (app: TestApp) => {
      const { deliveries } = await callOk(app, ENDPOINTS.listWebhookDeliveries, ana, {
        params: { ...params, webhookId },
      })
      return deliveries.map(({ state, attempts }) => ({ state, attempts }))
    }
    await until(async () => expect(await log(ahead)).toEqual([{ state: 'waiting', attempts: 1 }]))

    service.recover()
    const app = await setRight()
    await aCard(app, { inside: watchlist, by: ana, status: 'REVEALED' })

    await until(async () =>
      expect(await log(app)).toEqual([
        { state: 'delivered', attempts: 1 },
        { state: 'delivered', attempts: 2 },
      ]),
    )
  })

  test('a device that was unreachable while the clock was ahead gets its message, and new ones at once', async () => {
    const service = await aPushService()
    service.answer(503)
    const { ahead, setRight } = await anAppAhead()
    const { ana, ben, watchlist, params } = await aScene(ahead)
    await callOk(ahead, ENDPOINTS.savePushDevice, ben, { body: service.subscription() })
    const mention = async (app: TestApp) => {
      const card = await aCard(app, { inside: watchlist, by: ana, status: 'REVEALED' })
      const place = { params: { ...params, cardId: card.id } }
      await callOk(app, ENDPOINTS.addComment, ana, { ...place, body: { content: `@${ben.username} look` } })
    }
    await mention(ahead)
    await service.waitFor(1)

    service.answer(201)
    const app = await setRight()
    await service.waitFor(2)
    await mention(app)

    await until(() => expect(service.received).toHaveLength(3))
  })

  test('a poster whose copy failed while the clock was ahead is copied', async () => {
    const service = await aService()
    const { ahead, setRight } = await anAppAhead({ remotePosters: 'copy' })
    const { ana, params } = await aScene(ahead)
    const body = { title: 'Ran', image: service.url, revealImmediately: true }
    const { id } = await callOk(ahead, ENDPOINTS.addCard, ana, { params, body })
    await until(() => expect(service.received).toHaveLength(1))

    service.recover()
    const app = await setRight()

    await until(async () => {
      const { imageUrl } = await callOk(app, ENDPOINTS.getCard, ana, { params: { ...params, cardId: id } })
      expect(imageUrl).toMatch(/-640\.webp$/u)
    })
  })

  test('a movie request that failed while the clock was ahead is sent', async () => {
    let isUp = true
    const answer = async () => {
      if (!isUp) throw new MediaServerFault('unreachable', 'away')
      return await Promise.resolve('coming' as const)
    }
    const port = { identify: async () => ({ version: await answer() }), look: answer, ask: answer }
    const mediaServers = { ...NO_MEDIA_SERVERS, openRequests: () => port }
    const { ahead, setRight } = await anAppAhead({ mediaServers })
    const { ana, params } = await aScene(ahead)
    const server = { url: 'http://seerr.example', token: 'key' }
    await callOk(ahead, ENDPOINTS.connectRequestServer, ana, { params, body: server })
    const movie = { title: 'Ran', movie: { ids: { tmdb: '11645' } }, image: 'https://example.org/a.jpg' }
    const added = { params, body: { ...movie, revealImmediately: true } }
    const { id: cardId } = await callOk(ahead, ENDPOINTS.addCard, ana, added)
    const ask = async (app: TestApp) =>
      (await callOk(app, ENDPOINTS.askForMovie, ana, { params: { ...params, cardId } })).state
    const fault = async (app: TestApp) => (await callOk(app, ENDPOINTS.getRequestServer, ana, { params })).server?.fault
    isUp = false
    await ask(ahead)
    await until(async () => expect(await fault(ahead)).toBe('unreachable'))

    isUp = true
    const app = await setRight()

    await until(async () => expect(await ask(app)).toBe('coming'))
  })

  test('an import that was claimed while the clock was ahead continues', async () => {
    const { ahead, clock, setRight } = await anAppAhead()
    const { ana, params } = await aScene(ahead)
    const fileData = Buffer.from('Ran (1985)\n').toString('base64')
    const { id } = await callOk(ahead, ENDPOINTS.beginImport, ana, { params, body: { fileName: 'a.txt', fileData } })
    await theDatabase().transaction(async (trx) => {
      const claimed = { state: 'applying', due_at: clock.now().getTime() + 3_000 } as const
      await trx.updateTable('movie_import').set(claimed).where('id', '=', id).execute()
    })

    const app = await setRight()

    await until(async () => {
      const { state } = await callOk(app, ENDPOINTS.getImport, ana, { params: { ...params, importId: id } })
      expect(state).toBe('applied')
    })
  })

  test('a mail sent while the clock was ahead does not hold back the next one on its topic', async () => {
    const { ahead, clock, setRight } = await anAppAhead()
    const { ana, ben, watchlist } = await aScene(ahead)
    const change = async (body: object) => await callOk(ahead, ENDPOINTS.changeNotificationSettings, ben, { body })
    await change({ groups: { draws: { mail: 'at-once' } } })
    const mails = (app: TestApp) => app.mails().filter(({ to }) => to === emailOf(ben))
    await aCard(ahead, { inside: watchlist, by: ana, status: 'REVEALED', title: 'Ran' })
    await until(async () => expect(await kinds(ahead, ben)).toHaveLength(1))
    // An open page could say until then that its user has seen the news.
    clock.moveAhead(SEEN_WITHIN_MS)
    await change({})
    await until(() => expect(mails(ahead)).toHaveLength(1))
    await aCard(ahead, { inside: watchlist, by: ana, status: 'REVEALED', title: 'Heat' })
    await until(async () => expect(await kinds(ahead, ben)).toHaveLength(2))

    const app = await setRight()

    await until(() => expect(mails(app).map(({ text }) => text.includes('Heat'))).toEqual([true]))
  })

  test('a decision made while the clock was ahead is announced once it can no longer be undone', async () => {
    const { ahead, setRight } = await anAppAhead()
    const { ana, ben, watchlist } = await aScene(ahead)
    await aCard(ahead, { inside: watchlist, by: ana, status: 'WATCHED' })

    const app = await setRight()

    await until(async () => expect(await kinds(app, ben)).toContain('accepted'))
  })

  test('a night plan made while the clock was ahead keeps the times of its reminders', async () => {
    const { ahead, clock, setRight } = await anAppAhead()
    const { ana, ben, params } = await aScene(ahead)
    const time = new Date(clock.now().getTime() + 5 * TWO_DAYS_MS).toISOString().slice(0, 16)
    await callOk(ahead, ENDPOINTS.planNight, ana, { params, body: { times: [time], timeZone: 'UTC' } })
    await until(async () => expect(await kinds(ahead, ben)).toEqual(['night-planned']))

    const app = await setRight()
    await until(async () => expect(app.logged()).not.toContain('failed'))

    const reminders = theDatabase().read.selectFrom('activity').select(['kind', 'due_at']).orderBy('due_at')
    expect(await reminders.where('watchlist_id', '=', params.watchlistId).execute()).toEqual([
      { kind: 'night-tomorrow', due_at: Date.parse(`${time}Z`) - 24 * 60 * 60_000 },
      { kind: 'night-starting', due_at: Date.parse(`${time}Z`) - 15 * 60_000 },
    ])
  })

  test('members are asked to rate the films of a night held while the clock was ahead', async () => {
    const { ahead, setRight } = await anAppAhead()
    const { ana, watchlist, params } = await aScene(ahead)
    await callOk(ahead, ENDPOINTS.openNight, ana, { params })
    await aCard(ahead, { inside: watchlist, by: ana, status: 'WATCHED' })

    const app = await setRight()

    await until(async () => expect(await kinds(app, ana)).toEqual(['please-rate']))
  })

  test('an invitation is mailed at once, although one was mailed while the clock was ahead', async () => {
    const { ahead, setRight } = await anAppAhead()
    const { ana, params } = await aScene(ahead)
    const dora = aUser(`dora ${aUser().userId.slice(0, 8)}`)
    const invite = async (app: TestApp) =>
      await callOk(app, ENDPOINTS.inviteUser, ana, { params, body: { username: dora.username } })
    await invite(ahead)

    const app = await setRight()
    const { token } = await invite(app)

    await until(() =>
      expect(
        app
          .mails()
          .filter(({ text }) => text.includes(token))
          .map(({ to }) => to),
      ).toEqual([emailOf(dora)]),
    )
  })
})
