import type { RequestListener } from 'node:http'

import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import type { Tables } from '../../../tables.ts'
import { productMigrations } from '../../../migrations/index.ts'
import type { Ports } from '../../../ports.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { aPng } from '../../../testing/images.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { testToken } from '../../../testing/test-accounts.ts'

/** 127.0.0.1 plays the public internet, under names that end in .example and on any port. */
const HERE = {
  lookup: async (name: string) => (name.endsWith('.example') ? ['127.0.0.1'] : ['10.0.0.7']),
  allowAddress: (ip: string) => ip === '127.0.0.1',
  allowPort: () => true,
} satisfies Partial<GuardedFetchOptions>

const PLACEHOLDER = 'http://marquee.test/images/no-poster.svg'
const COPY = /^http:\/\/marquee\.test\/images\/[0-9a-f]{64}-640\.webp$/u
const MINUTE_MS = 60_000

const jpeg = await sharp({ create: { width: 60, height: 90, channels: 3, background: 'teal' } })
  .jpeg()
  .toBuffer()
const serveJpeg: RequestListener = (_request, response) => response.setHeader('content-type', 'image/jpeg').end(jpeg)

eachStatement({ product: productMigrations }, (theDatabase) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  async function anApp(ports: Partial<Ports> = {}) {
    const app = await startApp(theDatabase(), { remotePosters: 'copy', imageFetch: HERE, ...ports })
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await app.stop()
      isStopped = true
    }
    stops.push(stop)
    return { ...app, stop }
  }

  /** A poster host whose reply can be changed. */
  async function aHost(first: RequestListener = serveJpeg) {
    let answer = first
    let requests = 0
    const server = await aWebServer((request, response) => {
      requests += 1
      answer(request, response)
    })
    return {
      url: `http://posters.example:${server.port}/poster.jpg`,
      requests: () => requests,
      answerWith: (next: RequestListener) => {
        answer = next
      },
    }
  }
  const status =
    (code: number): RequestListener =>
    (_request, response) =>
      response.writeHead(code).end()

  async function aCardWith(app: TestApp, image: string, { by = aUser(), revealImmediately = true } = {}) {
    const { watchlist } = await aWatchlist(app, { owner: by })
    const params = { watchlistId: watchlist.id }
    const card = await callOk(app, ENDPOINTS.addCard, by, { params, body: { title: 'Ran', image, revealImmediately } })
    return { by, card, params: { ...params, cardId: card.id } }
  }
  const read = async (app: TestApp, { by, params }: { by: Caller; params: Record<string, string> }) => {
    const { imageUrl, posterState } = await callOk(app, ENDPOINTS.getCard, by, { params })
    return { imageUrl, posterState }
  }
  const becomes = async (app: TestApp, card: Parameters<typeof read>[1], state: 'failed' | undefined) => {
    await vi.waitUntil(async () => (await read(app, card)).posterState === state, { timeout: 30_000, interval: 20 })
    return await read(app, card)
  }
  /** The request for a card; undefined once it is done. */
  const requestFor = async ({ params }: { params: Record<string, string> }) => {
    const { read: db } = theDatabase().withTables<Tables>()
    const request = db
      .selectFrom('poster_request')
      .selectAll()
      .where('card_id', '=', params['cardId'] ?? '')
    return await request.executeTakeFirst()
  }
  const settled = async (card: { params: Record<string, string> }) =>
    await vi.waitUntil(async () => (await requestFor(card)) === undefined, { timeout: 30_000, interval: 20 })
  const versionOfFeed = async ({ app }: TestApp, { by, params }: { by: Caller; params: { watchlistId: string } }) => {
    const url = `/api/watchlists/${params.watchlistId}/cards`
    return (await app.inject({ url, headers: { authorization: `Bearer ${testToken(by)}` } })).headers['etag']
  }

  test('a poster given by its URL is copied once, and the copy replaces the placeholder live', async () => {
    const bus = recordingBus()
    const app = await anApp({ bus })
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const host = await aHost((request, response) => void mayAnswer.then(() => serveJpeg(request, response)))

    const added = await aCardWith(app, host.url)
    const before = await versionOfFeed(app, added)
    answer()
    const shown = await becomes(app, added, undefined)
    const picture = await app.app.inject({ url: new URL(shown.imageUrl).pathname })

    expect({ imageUrl: added.card.imageUrl, posterState: added.card.posterState }).toEqual({
      imageUrl: PLACEHOLDER,
      posterState: 'pending',
    })
    expect((await app.app.inject({ url: new URL(PLACEHOLDER).pathname })).headers['content-type']).toBe(
      'image/svg+xml; charset=utf-8',
    )
    expect(shown.imageUrl).toMatch(COPY)
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 60, height: 90 })
    expect(await versionOfFeed(app, added)).not.toBe(before)
    await vi.waitFor(() => {
      expect(bus.kindsFor(added.params.watchlistId)).toEqual(['card-revealed', 'card-changed'])
    }, WITHIN)
    expect(await requestFor(added)).toBeUndefined()
    expect(host.requests()).toBe(1)
  })

  test('copying the poster of a card in the box changes nothing that others see', async () => {
    const bus = recordingBus()
    const app = await anApp({ bus })
    const host = await aHost()
    const added = await aCardWith(app, host.url, { revealImmediately: false })
    const { by, params } = added
    const before = await versionOfFeed(app, added)

    await settled(added)
    const after = await versionOfFeed(app, added)
    const revealed = await callOk(app, ENDPOINTS.revealRandomCard, by, { params })

    expect(after).toBe(before)
    expect(bus.kindsFor(params.watchlistId)).toEqual(['box-changed', 'card-revealed', 'box-changed'])
    expect(revealed.imageUrl).toMatch(COPY)
  })

  test('a process takes over the requests of a stopped one at once, and of a killed one after two minutes', async () => {
    const clock = movableClock()
    const host = await aHost(() => undefined)
    const patient = { clock, imageFetch: { ...HERE, timeoutMs: 10 * MINUTE_MS } }
    const first = await anApp(patient)
    const added = await aCardWith(first, host.url)
    await vi.waitUntil(() => host.requests() === 1, { timeout: 30_000 })
    await first.stop()

    const second = await anApp(patient)
    await vi.waitUntil(() => host.requests() === 2, { timeout: 30_000 })
    // This one hangs from now on, like a killed process.
    host.answerWith(serveJpeg)
    const third = await anApp(patient)
    const other = await aCardWith(third, host.url)
    await becomes(third, other, undefined)
    const meanwhile = await read(third, added)
    clock.moveAhead(2 * MINUTE_MS)
    await aCardWith(third, host.url)
    const shown = await becomes(third, added, undefined)
    await second.stop()

    expect(meanwhile.posterState).toBe('pending')
    expect(shown.imageUrl).toMatch(COPY)
  })

  describe('a poster that cannot be copied', () => {
    test.each([
      ['is not there', status(404)],
      ['is a page', (_request, response) => response.end('<!doctype html>')],
      [
        'is not of a type that is decoded',
        (_request, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      ],
    ] satisfies [string, RequestListener][])(
      'a poster that cannot be copied because it %s fails at once',
      async (_what, answer) => {
        const app = await anApp()
        const host = await aHost(answer)

        const added = await aCardWith(app, host.url)
        const shown = await becomes(app, added, 'failed')

        expect(shown).toEqual({ imageUrl: PLACEHOLDER, posterState: 'failed' })
        expect(host.requests()).toBe(1)
        expect(await requestFor(added)).toBeUndefined()
      },
    )

    test('a poster on a host with a private address fails without a request', async () => {
      const app = await anApp()
      const host = await aHost()

      const added = await aCardWith(app, host.url.replace('posters.example', 'intranet.local'))
      await becomes(app, added, 'failed')

      expect(host.requests()).toBe(0)
    })

    test('a poster whose host is down fails after three attempts, and is copied once the host is up', async () => {
      const clock = movableClock()
      const app = await anApp({ clock })
      const host = await aHost(status(503))
      const added = await aCardWith(app, host.url)
      const states: unknown[] = []
      const afterAttempt = async (number: number) => {
        await vi.waitUntil(
          async () => {
            const { attempts = 0, due_at: dueAt = 0 } = (await requestFor(added)) ?? {}
            // A claim lasts longer than the first two pauses.
            return attempts === number && dueAt < clock.now().getTime() + MINUTE_MS
          },
          { timeout: 30_000, interval: 20 },
        )
        return (await read(app, added)).posterState
      }
      const moveOn = async (minutes: number) => {
        clock.moveAhead(minutes * MINUTE_MS)
        // A new card wakes the queue.
        await aCardWith(app, (await aHost()).url)
      }

      states.push(await afterAttempt(1))
      await moveOn(1)
      states.push(await afterAttempt(2))
      await moveOn(1)
      states.push((await becomes(app, added, 'failed')).posterState)
      host.answerWith(serveJpeg)
      await moveOn(6)
      const shown = await becomes(app, added, undefined)

      expect(states).toEqual(['pending', 'pending', 'failed'])
      expect(shown.imageUrl).toMatch(COPY)
    })

    test('a poster that cannot be copied can be replaced by an upload', async () => {
      const app = await anApp()
      const host = await aHost(status(404))
      const added = await aCardWith(app, host.url)
      await becomes(app, added, 'failed')

      const body = { title: 'Ran', image: await aPng() }
      const edited = await callOk(app, ENDPOINTS.editCard, added.by, { params: added.params, body })

      expect(edited.imageUrl).toMatch(COPY)
      expect(edited.posterState).toBeUndefined()
    })
  })

  test('a late copy does not replace a poster that was uploaded meanwhile', async () => {
    const app = await anApp()
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const host = await aHost((request, response) => {
      void mayAnswer.then(() => serveJpeg(request, response))
    })
    const added = await aCardWith(app, host.url)
    await vi.waitUntil(() => host.requests() === 1, { timeout: 30_000 })

    const body = { title: 'Ran', image: await aPng() }
    const edited = await callOk(app, ENDPOINTS.editCard, added.by, { params: added.params, body })
    answer()
    await settled(added)

    expect((await read(app, added)).imageUrl).toBe(edited.imageUrl)
  })

  test('the posters of cards from earlier versions are copied', async () => {
    const host = await aHost()
    const direct = await anApp({ remotePosters: 'direct' })
    const added = await aCardWith(direct, host.url)
    const before = await read(direct, added)
    await direct.stop()

    const app = await anApp()
    const shown = await becomes(app, added, undefined)

    expect(added.card.imageUrl).toBe(host.url)
    expect(before).toEqual({ imageUrl: host.url, posterState: undefined })
    expect(shown.imageUrl).toMatch(COPY)
    expect(host.requests()).toBe(1)
  })

  test('the data export has the original address of a poster', async () => {
    const app = await anApp()
    const host = await aHost()
    const added = await aCardWith(app, host.url)
    await becomes(app, added, undefined)

    const { watchlists } = await callOk(app, ENDPOINTS.exportData, added.by)

    expect(watchlists[0]?.cards[0]?.imageUrl).toBe(host.url)
  })
})
