import type { RequestListener } from 'node:http'

import pino from 'pino'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { WEBHOOK_KINDS, type WebhookDelivery } from '@marquee/contract/entities/webhook'
import { webhookMessage } from '@marquee/contract/entities/webhook-message'
import type { Database } from '@marquee/platform/database/database'
import type { GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { systemRandom } from '@marquee/platform/runtime/random'
import { type Clock, systemClock } from '@marquee/platform/runtime/clock'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import type { Ports } from '../../../ports.ts'
import { allAnnounced } from '../../../testing/all-announced.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { webhookKey } from '../../../master-keys.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import type { ActivityTables } from '../activities/store.ts'
import { startWebhookQueue } from './queue.ts'
import { dropWaiting, insertDeliveries, type WebhookTables } from './store.ts'

/** 127.0.0.1 plays the public internet, under names that end in .example and on any port. */
const HERE = {
  lookup: async (name: string) => (name.endsWith('.example') ? ['127.0.0.1'] : ['10.0.0.7']),
  allowAddress: (ip: string) => ip === '127.0.0.1',
  allowPort: () => true,
} satisfies Partial<GuardedFetchOptions>

const KEY = webhookKey(Buffer.alloc(32, 1))
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Received = { headers: Record<string, string>; text: string }

eachStatement<ActivityTables & WebhookTables>({ product: productMigrations }, (theDatabase) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    // No test sends what an earlier one left.
    await theDatabase().transaction(async (trx) => {
      await trx.deleteFrom('activity').execute()
      await trx.deleteFrom('webhook_delivery').execute()
    })
  })

  async function anApp(ports: Partial<Ports> = {}) {
    const started = await startApp(theDatabase().withTables(), { webhookFetch: HERE, webhookKeys: [KEY], ...ports })
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await started.stop()
      isStopped = true
    }
    stops.push(stop)
    return { ...started, stop }
  }

  /** A service that receives messages, and answers with a status that a test can change. */
  async function aService(first = 204, before?: RequestListener) {
    let status = first
    const received: Received[] = []
    const server = await aWebServer((request, response) => {
      before?.(request, response)
      let text = ''
      request.on('data', (piece: Buffer) => {
        text += piece.toString()
      })
      request.on('end', () => {
        received.push({ headers: request.headers as Record<string, string>, text })
        response.writeHead(status).end()
      })
    })
    return {
      url: `http://chat.example:${server.port}/hook?key=s3cret`,
      received,
      bodies: () => received.map(({ text }) => JSON.parse(text) as Record<string, unknown>),
      answer: (next: number) => {
        status = next
      },
      waitFor: async (count: number) => {
        await vi.waitFor(() => expect(received).toHaveLength(count), WITHIN)
      },
    }
  }

  async function aScene(app: TestApp, url: string, webhook: object = {}) {
    const [ben, dora] = [aUser('ben'), aUser('dora')]
    const { watchlist, owner } = await aWatchlist(app, { members: [ben, dora] })
    const params = { watchlistId: watchlist.id }
    const body = { name: 'Chat', url, format: 'standard', kinds: WEBHOOK_KINDS, ...webhook }
    const made = await callOk(app, ENDPOINTS.createWebhook, owner, { params, body })
    return { watchlist, owner, ben, dora, params, made, hook: { ...params, webhookId: made.id } }
  }
  const listWebhooks = async (app: TestApp, owner: Caller, params: { watchlistId: string }) =>
    (await callOk(app, ENDPOINTS.listWebhooks, owner, { params })).webhooks
  const log = async (app: TestApp, owner: Caller, params: { watchlistId: string; webhookId: string }) =>
    (await callOk(app, ENDPOINTS.listWebhookDeliveries, owner, { params })).deliveries
  const expectLog = async (
    app: TestApp,
    { owner, hook }: { owner: Caller; hook: { watchlistId: string; webhookId: string } },
    expected: Partial<WebhookDelivery>[],
  ) => {
    await vi.waitFor(async () => expect(await log(app, owner, hook)).toMatchObject(expected), {
      timeout: 30_000,
      interval: 20,
    })
  }
  const announced = async ({ watchlist: { id } }: { watchlist: { id: string } }, clock: Clock = systemClock) =>
    await allAnnounced(theDatabase().withTables(), clock, id)
  const reveal = async (app: TestApp, given: { watchlist: { id: string }; ben: Caller }, title = 'Alien') =>
    await aCard(app, { inside: given.watchlist, by: given.ben, status: 'REVEALED', title })

  const moments: [
    string,
    (app: TestApp, given: Awaited<ReturnType<typeof aScene>>) => Promise<unknown>,
    string,
    object,
  ][] = [
    [
      'a card revealed from the box',
      async (app, { watchlist, owner, ben, params }) => {
        await aCard(app, { inside: watchlist, by: ben, title: 'Alien' })
        await callOk(app, ENDPOINTS.revealRandomCard, owner, { params })
      },
      'card.revealed',
      { by: 'ana', card: { title: 'Alien', status: 'REVEALED' } },
    ],
    ['a card added in the feed', reveal, 'card.revealed', { by: 'ben', card: { title: 'Alien' } }],
    [
      'a card of a checkable draw',
      async (app, { watchlist, ben, params }) => {
        await aCard(app, { inside: watchlist, by: ben, title: 'Alien' })
        const { drawNumber } = await callOk(app, ENDPOINTS.prepareDraw, ben, { params, body: {} })
        await callOk(app, ENDPOINTS.revealDraw, ben, {
          params: { ...params, drawNumber: String(drawNumber) },
          body: { seeds: ['5e'.repeat(32)] },
        })
      },
      'card.revealed',
      { by: 'ben', card: { title: 'Alien' } },
    ],
    [
      'a planned movie night',
      async (app, { ben, params }) =>
        await callOk(app, ENDPOINTS.planNight, ben, {
          params,
          body: { times: ['2099-01-01T20:00'], timeZone: 'UTC', place: 'At Ana’s' },
        }),
      'night.planned',
      { by: 'ben', night: { state: 'planned', times: ['2099-01-01T20:00:00.000Z'], place: 'At Ana’s' } },
    ],
    [
      'a movie night that begins',
      async (app, { ben, params }) => await callOk(app, ENDPOINTS.openNight, ben, { params }),
      'night.started',
      { by: 'ben', night: { state: 'open' } },
    ],
    [
      'a member who joins by a link',
      async (app, { ben, params }) => {
        const { token } = await callOk(app, ENDPOINTS.createJoinLink, ben, { params, body: { days: 1, maxUses: 1 } })
        await callOk(app, ENDPOINTS.joinByLink, aUser('cleo'), { body: { token } })
      },
      'member.joined',
      { by: 'cleo' },
    ],
    [
      'a member who accepts an invitation',
      async (app, { ben, params }) => {
        const cleo = aUser(`cleo ${aUser().userId}`)
        await callOk(app, ENDPOINTS.inviteUser, ben, { params, body: { username: cleo.username } })
        await callOk(app, ENDPOINTS.acceptReceivedInvitation, cleo, { params })
      },
      'member.joined',
      {},
    ],
  ]

  test.each(moments)('%s is reported, signed as Standard Webhooks describes', async (_what, happen, type, data) => {
    const service = await aService()
    const app = await anApp()
    const given = await aScene(app, service.url)

    await happen(app, given)
    await service.waitFor(1)

    const [{ headers, text } = { headers: {}, text: '' }] = service.received
    const verified = new Verifier(given.made.secret ?? '').verify(text, headers)
    expect(verified).toMatchObject({ type, data: { watchlist: { name: 'Friday films' }, ...data } })
    expect(webhookMessage(type as WebhookDelivery['kind']).parse(verified)).toEqual(verified)
    expect(headers['webhook-id']).toMatch(/^msg_/u)
    expect(() => new Verifier(given.made.secret ?? '').verify(`${text} `, headers)).toThrow('No matching signature')
    await expectLog(app, given, [
      { kind: type as WebhookDelivery['kind'], state: 'delivered', attempts: 1, status: 204 },
    ])
  })

  test('a long comment is shortened in a message without splitting a character', async () => {
    const service = await aService()
    const app = await anApp()
    const given = await aScene(app, service.url, { format: 'slack', kinds: ['comment.added'] })
    const { id: cardId } = await reveal(app, given)
    const params = { ...given.params, cardId }

    await callOk(app, ENDPOINTS.addComment, given.ben, { params, body: { content: `a${'🎬'.repeat(300)}` } })
    await service.waitFor(1)

    const [sentence] = String(service.bodies()[0]?.['text']).split('\n')
    expect(sentence).toBe(`ben commented on “Alien” in Friday films: a${'🎬'.repeat(298)}…`)
  })

  test('a decision is reported when it can no longer be undone, and never if it was undone', async () => {
    const clock = movableClock()
    const service = await aService()
    const app = await anApp({ clock })
    const given = await aScene(app, service.url, { kinds: ['card.decided'] })
    const inCard = async (title: string) => ({ ...given.params, cardId: (await reveal(app, given, title)).id })
    const [kept, undone] = [await inCard('Alien'), await inCard('Stalker')]
    for (const params of [kept, undone])
      await callOk(app, ENDPOINTS.moveCard, given.ben, { params, body: { status: 'WATCHED' } })
    await callOk(app, ENDPOINTS.undoMove, given.ben, { params: undone })

    expect(service.received).toEqual([])
    clock.moveAhead(16 * SECOND_MS)
    await reveal(app, given, 'Ran')
    await announced(given, clock)

    await expectLog(app, given, [{ kind: 'card.decided', state: 'delivered' }])
    expect(service.bodies()).toMatchObject([{ data: { card: { title: 'Alien', status: 'WATCHED' } } }])
  })

  // Evidence: asvs-1.3.5
  test.each([
    [
      'discord',
      { content: String.raw`ben revealed “\*Alien\* \<@room\_@room\>” in Friday films` },
      { allowed_mentions: { parse: [] } },
    ],
    ['slack', { text: 'ben revealed “*Alien* &lt;@\u200Broom_@\u200Broom&gt;” in Friday films' }, {}],
    ['matrix', { text: 'ben revealed “\\*Alien\\* \\<@\u200Broom\\_@\u200Broom\\>” in Friday films' }, {}],
  ])(
    '%s gets an unsigned message in its own format, in which a title cannot mention other users',
    async (format, message, rest) => {
      const service = await aService()
      const app = await anApp()
      const given = await aScene(app, service.url, { format })

      await reveal(app, given, '*Alien* <@room_@room>')
      await service.waitFor(1)

      const [body] = service.bodies()
      const page = `http://marquee.test/watchlists/${given.watchlist.id}`
      for (const [field, text] of Object.entries(message)) {
        expect(String(body?.[field]).startsWith(text)).toBe(true)
        expect(body?.[field]).toContain(page)
      }
      expect(body).toMatchObject(rest)
      expect(given.made.secret).toBeNull()
      expect(service.received[0]?.headers['webhook-signature']).toBeUndefined()
    },
  )

  test('only the chosen kinds are reported, and a comment is reported with its card', async () => {
    const service = await aService()
    const app = await anApp()
    const given = await aScene(app, service.url, { kinds: ['comment.added'] })
    const { id: cardId } = await reveal(app, given)

    const params = { ...given.params, cardId }
    await callOk(app, ENDPOINTS.addComment, given.ben, { params, body: { content: 'In space' } })
    await service.waitFor(1)

    expect(service.bodies()).toMatchObject([
      { type: 'comment.added', data: { by: 'ben', card: { title: 'Alien' }, comment: { content: 'In space' } } },
    ])
  })

  test('a card that is put back before its message is sent is not reported', async () => {
    const clock = movableClock()
    const service = await aService(503)
    const app = await anApp({ clock })
    const given = await aScene(app, service.url)
    const card = await reveal(app, given, 'A secret')
    await service.waitFor(1)
    service.received.length = 0

    const params = { ...given.params, cardId: card.id }
    await callOk(app, ENDPOINTS.moveCard, given.ben, { params, body: { status: 'SUGGESTED' } })
    service.answer(204)
    clock.moveAhead(HOUR_MS)
    await callOk(app, ENDPOINTS.testWebhook, given.owner, { params: given.hook })
    await service.waitFor(1)

    expect(JSON.stringify(service.received)).not.toContain('A secret')
    await expectLog(app, given, [{ state: 'delivered' }, { state: 'dropped' }])
  })

  describe('a message that waited', () => {
    /** A night planned by Ana while the service fails. Resolves once its message has been tried. */
    async function aWaitingPlan() {
      const clock = movableClock()
      const service = await aService(500)
      const app = await anApp({ clock })
      const given = await aScene(app, service.url, { kinds: ['night.planned', 'night.changed'] })
      const body = { times: ['2099-01-01T20:00'], timeZone: 'UTC', place: null, note: null, maxRuntimeMinutes: null }
      const night = await callOk(app, ENDPOINTS.planNight, given.owner, { params: given.params, body })
      await expectLog(app, given, [{ kind: 'night.planned', state: 'waiting', attempts: 1 }])
      const of = { params: { nightId: night.id } }
      return { clock, service, app, given, of, body }
    }
    /** What the service gets once it answers again, besides a last test message. */
    async function catchUp({ clock, service, app, given }: Awaited<ReturnType<typeof aWaitingPlan>>, ms = HOUR_MS) {
      await announced(given, clock)
      service.answer(200)
      service.received.length = 0
      clock.moveAhead(ms)
      await callOk(app, ENDPOINTS.testWebhook, given.owner, { params: given.hook })
      await vi.waitFor(
        async () =>
          expect((await log(app, given.owner, given.hook)).filter(({ state }) => state === 'waiting')).toEqual([]),
        WITHIN,
      )
      return service.bodies().filter(({ type }) => type !== 'test')
    }

    test('a night that was cancelled meanwhile is reported only as cancelled', async () => {
      const waiting = await aWaitingPlan()
      const { app, given, of, body } = waiting
      await callOk(app, ENDPOINTS.changeNight, given.dora, { ...of, body: { ...body, place: 'At Dora’s' } })
      await callOk(app, ENDPOINTS.cancelNight, given.ben, of)

      const messages = await catchUp(waiting)

      expect(messages).toMatchObject([{ type: 'night.changed', data: { by: 'ben', night: { state: 'cancelled' } } }])
    })

    test('the plan of a night that has started is not reported', async () => {
      const waiting = await aWaitingPlan()
      await callOk(waiting.app, ENDPOINTS.startNight, waiting.given.ben, waiting.of)

      expect(await catchUp(waiting)).toEqual([])
    })

    test('the plan of a night whose time has passed is not reported', async () => {
      const waiting = await aWaitingPlan()
      const { app, given, of, body, clock } = waiting
      const soon = new Date(clock.now().getTime() + HOUR_MS / 2).toISOString().slice(0, 16)
      await callOk(app, ENDPOINTS.changeNight, given.dora, { ...of, body: { ...body, times: [soon] } })

      expect(await catchUp(waiting)).toEqual([])
    })

    test('the plan of an upcoming night is reported in its latest version', async () => {
      const waiting = await aWaitingPlan()
      const { app, given, of, body } = waiting
      await callOk(app, ENDPOINTS.changeNight, given.dora, { ...of, body: { ...body, place: 'At Dora’s' } })

      expect(await catchUp(waiting)).toMatchObject([
        { type: 'night.planned', data: { by: 'ana', night: { place: 'At Dora’s' } } },
        { type: 'night.changed', data: { by: 'dora', night: { place: 'At Dora’s' } } },
      ])
    })
  })

  describe('an address', () => {
    test.each([
      'http://127.0.0.2/hook',
      'http://internal.test/hook',
      'http://[::1]/',
      'ftp://chat.example/',
      'http://me:key@chat.example/',
      'no address',
    ])('the address %s is refused when the webhook is saved', async (url) => {
      const app = await anApp()
      const { watchlist, owner } = await aWatchlist(app)
      const params = { watchlistId: watchlist.id }
      const body = { name: 'Chat', url, format: 'slack', kinds: ['card.revealed'] }

      const answer = await call(app, ENDPOINTS.createWebhook, owner, { params, body })

      expect({ status: answer.status, message: answer.body.message }).toEqual({
        status: 400,
        message: 'This address cannot be used',
      })
    })

    test('an address that becomes internal later is not called', async () => {
      const service = await aService()
      let address = '127.0.0.1'
      const app = await anApp({ webhookFetch: { ...HERE, lookup: async () => [address] } })
      const given = await aScene(app, service.url)
      address = '10.0.0.7'

      await reveal(app, given)

      await expectLog(app, given, [{ state: 'waiting', attempts: 1, status: null }])
      expect(service.received).toEqual([])
    })

    test('neither the address nor the secret of a webhook is stored or shown in plain text', async () => {
      const service = await aService()
      const app = await anApp()
      const { owner, params, made } = await aScene(app, service.url)

      const rows = await theDatabase().read.selectFrom('webhook').selectAll().execute()

      for (const text of [JSON.stringify(rows), JSON.stringify(await listWebhooks(app, owner, params)), app.logged()]) {
        expect(text).not.toContain('s3cret')
        expect(text).not.toContain(made.secret)
      }
    })
  })

  test('a service that does not answer delays no request, and the next process sends the waiting message', async () => {
    const service = await aService()
    const before = await anApp()
    const given = await aScene(before, service.url)
    await before.stop()
    const stuck = await anApp({ webhookFetch: { ...HERE, lookup: async () => await new Promise(() => {}) } })
    // Its lookup never answers, so a request that waited for it would not either.
    await reveal(stuck, given)
    await stuck.stop()
    expect(service.received).toEqual([])

    await anApp()
    await service.waitFor(1)
  })

  test.each([1, 4, 10])('%i hanging services delay no other webhook of this or another watchlist', async (count) => {
    const asked: string[] = []
    const hanging = await aWebServer((request) => void asked.push(request.url ?? ''))
    const [good, elsewhere] = [await aService(), await aService()]
    const app = await anApp({ webhookFetch: { ...HERE, timeoutMs: 60 * SECOND_MS } })
    const given = await aScene(app, good.url, { kinds: ['card.revealed'] })
    const other = await aScene(app, elsewhere.url, { kinds: ['card.revealed'] })
    const another = await aScene(app, good.url, { kinds: ['member.joined'] })
    for (let n = 0; n < count; n += 1) {
      // A watchlist has ten webhooks at most.
      const { owner, params } = n < 9 ? given : another
      const url = `http://chat.example:${hanging.port}/${n}`
      const body = { name: 'Hangs', url, format: 'slack', kinds: ['card.revealed'] }
      await callOk(app, ENDPOINTS.createWebhook, owner, { params, body })
    }

    for (const title of ['One', 'Two', 'Three']) {
      await reveal(app, given, title)
      await reveal(app, another, title)
      await reveal(app, other, title)
      await announced(given)
      await announced(other)
    }
    await good.waitFor(3)
    await elsewhere.waitFor(3)

    const titles = (service: typeof good) =>
      service.bodies().map(({ data }) => (data as { card: { title: string } }).card.title)
    expect([titles(good), titles(elsewhere)]).toEqual([
      ['One', 'Two', 'Three'],
      ['One', 'Two', 'Three'],
    ])
    // Each has got one request, which it has not answered.
    await vi.waitFor(() => expect(new Set(asked).size).toBe(count), WITHIN)
    expect(asked).toHaveLength(count)
  })

  test('only the newest 100 messages to a service that is slow to answer wait', async () => {
    const isHeld = Promise.withResolvers<void>()
    const service = await aService(204, (_request, response) => {
      const end = response.end.bind(response)
      response.end = ((...given: []) => {
        void isHeld.promise.then(() => end(...given))
        return response
      }) as typeof response.end
    })
    const app = await anApp()
    const given = await aScene(app, service.url, { kinds: ['comment.added'] })
    const { id: cardId } = await reveal(app, given)
    const params = { ...given.params, cardId }
    for (let n = 0; n < 150; n += 1)
      await callOk(app, ENDPOINTS.addComment, given.ben, { params, body: { content: `comment ${n}` } })
    await announced(given)
    const waiting = async () => {
      const rows = theDatabase().read.selectFrom('webhook_delivery').select('id')
      return await rows.where('webhook_id', '=', given.made.id).where('due_at', 'is not', null).execute()
    }

    await vi.waitFor(async () => expect((await waiting()).length).toBeLessThanOrEqual(100), WITHIN)
    isHeld.resolve()
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), WITHIN)
    expect(service.received.length).toBeLessThan(150)
    expect(service.bodies().at(-1)).toMatchObject({ data: { comment: { content: 'comment 149' } } })
  })

  test.each([
    ['reports how many messages it dropped', false, [50]],
    ['does not report messages that another process dropped before it', true, []],
  ])('the trim of a long queue %s', async (_what, hasOther, expected) => {
    const app = await anApp()
    const { made, hook } = await aScene(app, 'https://chat.example/hook')
    await app.stop()
    const row = { watchlist_id: hook.watchlistId, webhook_id: made.id, kind: 'test', username: 'ana' } as const
    const unsent = { card_id: null, item_id: null, state: 'waiting', attempts: 0, status: null } as const
    const due = { created_at: new Date().toISOString(), due_at: Date.now() + MINUTE_MS }
    const rows = Array.from({ length: 150 }, (_, n) => ({ ...row, ...unsent, ...due, id: `message ${1000 + n}` }))
    await theDatabase().transaction(async (trx) => await insertDeliveries(trx, rows))
    const database = {
      ...theDatabase().withTables(),
      transaction: async (...given: Parameters<Database<unknown>['transaction']>) => {
        if (hasOther) await theDatabase().transaction(async (trx) => await dropWaiting(trx, hook, 100))
        return await theDatabase()
          .withTables()
          .transaction(...given)
      },
    } as Database<unknown>
    const lines: { msg: string; dropped?: number }[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) })
    const facts = {
      record: () => [],
      settle: () => {
        throw new Error('Nothing is settled')
      },
      publish: () => undefined,
    }
    const ports = { clock: systemClock, random: systemRandom, webhookKeys: [KEY], publicUrl: '', userAgent: 'Marquee' }
    const queue = startWebhookQueue({ ...ports, database, logger, facts })

    queue.wake(hook.watchlistId)

    const waiting = theDatabase().read.selectFrom('webhook_delivery').select('id').where('due_at', 'is not', null)
    await vi.waitFor(async () => expect(await waiting.execute()).toHaveLength(100), WITHIN)
    await queue.stop()
    expect(lines.flatMap(({ dropped }) => dropped ?? [])).toEqual(expected)
  })

  test('a message older than a day is not sent', async () => {
    const clock = movableClock()
    const service = await aService()
    const before = await anApp({ clock })
    const given = await aScene(before, service.url, { kinds: ['card.revealed'] })
    await before.stop()
    const stuck = await anApp({ clock, webhookFetch: { ...HERE, lookup: async () => await new Promise(() => {}) } })
    await reveal(stuck, given, 'One')
    await announced(given, clock)
    await stuck.stop()
    clock.moveAhead(DAY_MS + MINUTE_MS)
    const after = await anApp({ clock })

    await reveal(after, given, 'Two')

    await service.waitFor(1)
    expect(service.bodies()).toMatchObject([{ data: { card: { title: 'Two' } } }])
    await expectLog(after, given, [{ state: 'delivered' }, { state: 'dropped' }])
  })

  describe('a service that fails', () => {
    test('a service that fails is retried with growing pauses, and then gets all messages in order', async () => {
      const clock = movableClock()
      const service = await aService(500)
      const app = await anApp({ clock })
      const given = await aScene(app, service.url, { kinds: ['card.revealed'] })
      await reveal(app, given, 'One')
      await service.waitFor(1)
      await expectLog(app, given, [{ state: 'waiting', attempts: 1, status: 500 }])
      await reveal(app, given, 'Two')
      await expectLog(app, given, [{ attempts: 0 }, { attempts: 1 }])

      service.answer(200)
      clock.moveAhead(11 * SECOND_MS)
      await reveal(app, given, 'Three')
      await service.waitFor(4)

      const titles = service.bodies().map(({ data }) => (data as { card: { title: string } }).card.title)
      expect([titles[0], titles[1]]).toEqual(['One', 'One'])
      expect(titles.slice(2).toSorted()).toEqual(['Three', 'Two'])
      expect(service.received[0]?.headers['webhook-id']).toBe(service.received[1]?.headers['webhook-id'])
    })

    test('a service that fails for a day keeps only the newest 100 messages waiting', async () => {
      const clock = movableClock()
      const service = await aService(500)
      const app = await anApp({ clock })
      const given = await aScene(app, service.url, { kinds: ['comment.added'] })
      const { id: cardId } = await reveal(app, given)
      const params = { ...given.params, cardId }
      for (let n = 0; n < 24; n += 1) {
        for (let m = 0; m < 5; m += 1)
          await callOk(app, ENDPOINTS.addComment, given.ben, { params, body: { content: `${n}:${m}` } })
        clock.moveAhead(HOUR_MS - MINUTE_MS)
      }
      const waiting = async () => {
        const rows = theDatabase().read.selectFrom('webhook_delivery').select('id')
        const ofHook = rows.where('watchlist_id', '=', given.watchlist.id).where('webhook_id', '=', given.made.id)
        const [all, open] = [await ofHook.execute(), await ofHook.where('due_at', 'is not', null).execute()]
        return { kept: all.length - open.length, waiting: open.length }
      }

      await vi.waitFor(async () => {
        const { kept, waiting: open } = await waiting()
        expect(kept).toBeLessThanOrEqual(50)
        expect(open).toBeLessThanOrEqual(100)
      }, WITHIN)
      expect(service.received.length).toBeLessThan(40)
      expect(app.logged()).not.toContain('s3cret')
    })

    test('a service that fails for three days is switched off, and can be switched on again', async () => {
      const clock = movableClock()
      const service = await aService(500)
      const app = await anApp({ clock })
      const given = await aScene(app, service.url, { kinds: ['card.revealed'] })
      await reveal(app, given, 'One')
      await expectLog(app, given, [{ attempts: 1, status: 500 }])
      await reveal(app, given, 'Two')
      await announced(given, clock)
      clock.moveAhead(3 * DAY_MS)
      await callOk(app, ENDPOINTS.testWebhook, given.owner, { params: given.hook })
      await expectLog(app, given, [
        { kind: 'test', state: 'failed', attempts: 1 },
        { state: 'dropped' },
        { state: 'dropped', attempts: 2 },
      ])

      expect(await listWebhooks(app, given.owner, given.params)).toMatchObject([{ state: 'failed' }])
      await reveal(app, given, 'Three')
      await announced(given, clock)
      expect(await log(app, given.owner, given.hook)).toHaveLength(3)
      const off = await call(app, ENDPOINTS.testWebhook, given.owner, { params: given.hook })
      expect(off.body.message).toBe('This webhook is switched off')

      service.answer(200)
      await callOk(app, ENDPOINTS.switchWebhook, given.owner, { params: given.hook, body: { isOn: true } })
      await callOk(app, ENDPOINTS.testWebhook, given.owner, { params: given.hook })
      await expectLog(app, given, [{ kind: 'test', state: 'delivered' }, {}, {}, {}])
    })

    test(
      'a service that fails with 410 is switched off at once, and its creator and the owner are notified once',
      { tags: ['race'] },
      async () => {
        const service = await aService(410)
        const app = await anApp()
        const given = await aScene(app, service.url)
        const offs = async (user: Caller) => {
          const { notifications } = await callOk(app, ENDPOINTS.listNotifications, user, { query: { limit: 50 } })
          return notifications.filter(({ kind }) => kind === 'webhook-off')
        }
        await callOk(app, ENDPOINTS.handOverWatchlist, given.owner, { params: given.params, body: { username: 'ben' } })
        await vi.waitFor(async () => expect(await offs(given.ben)).toHaveLength(1), WITHIN)
        await callOk(app, ENDPOINTS.switchWebhook, given.ben, { params: given.hook, body: { isOn: true } })

        await Promise.all([reveal(app, given), reveal(app, given), reveal(app, given)])

        await vi.waitFor(async () => expect(await offs(given.ben)).toHaveLength(2), WITHIN)
        expect(await listWebhooks(app, given.ben, given.params)).toMatchObject([{ state: 'failed' }])
        expect(await offs(given.owner)).toMatchObject([{ watchlistId: given.watchlist.id, by: null, cardId: null }])
        expect(await offs(given.dora)).toEqual([])
      },
    )
  })

  describe('a webhook of a former owner', () => {
    const takeOver: Record<string, (app: TestApp, given: Awaited<ReturnType<typeof aScene>>) => Promise<unknown>> = {
      'who handed the watchlist over': async (app, { owner, params }) =>
        await callOk(app, ENDPOINTS.handOverWatchlist, owner, { params, body: { username: 'ben' } }),
      'whose account was deleted': async (_app, { owner }) => {
        await theDatabase()
          .withTables()
          .transaction(async (trx) => {
            await removePersonAt(systemClock, systemRandom)(trx, owner.userId)
          })
      },
    }

    test.each(Object.entries(takeOver))(
      'the webhook of an owner %s is off, and the new owner is notified',
      async (_how, act) => {
        const service = await aService()
        const app = await anApp()
        const given = await aScene(app, service.url)

        await act(app, given)
        await reveal(app, given)
        await announced(given)

        expect(await listWebhooks(app, given.ben, given.params)).toMatchObject([{ state: 'off' }])
        const told = async (user: Caller) => {
          const { notifications } = await callOk(app, ENDPOINTS.listNotifications, user, { query: { limit: 50 } })
          return notifications.filter(({ kind }) => kind === 'webhook-off').length
        }
        await vi.waitFor(async () => expect(await told(given.ben)).toBe(1), WITHIN)
        expect([await told(given.owner), await told(given.dora)]).toEqual([0, 0])
        expect(service.received).toEqual([])
      },
    )

    test('the webhook of an owner who hands the watchlist to themselves stays on', async () => {
      const app = await anApp()
      const given = await aScene(app, (await aService()).url)

      const body = { username: given.owner.username }
      await callOk(app, ENDPOINTS.handOverWatchlist, given.owner, { params: given.params, body })

      expect(await listWebhooks(app, given.owner, given.params)).toMatchObject([{ state: 'on' }])
    })
  })

  test('a webhook that is off or deleted gets nothing', async () => {
    const service = await aService()
    const app = await anApp()
    const given = await aScene(app, service.url)
    const params = { watchlistId: given.watchlist.id, webhookId: given.made.id }

    await callOk(app, ENDPOINTS.switchWebhook, given.owner, { params, body: { isOn: false } })
    await reveal(app, given)
    await announced(given)
    expect(await log(app, given.owner, given.hook)).toEqual([])
    await callOk(app, ENDPOINTS.deleteWebhook, given.owner, { params })

    expect(await listWebhooks(app, given.owner, given.params)).toEqual([])
    expect(service.received).toEqual([])
  })

  test('a webhook works while its target is encrypted with an earlier master key', async () => {
    const service = await aService()
    const before = await anApp()
    const given = await aScene(before, service.url)
    await before.stop()
    const during = await anApp({ webhookKeys: [webhookKey(Buffer.alloc(32, 2)), KEY] })

    await callOk(during, ENDPOINTS.testWebhook, given.owner, { params: given.hook })
    await service.waitFor(1)

    expect(service.bodies().map(({ type }) => type)).toEqual(['test'])
  })

  test('a watchlist has at most 10 webhooks', async () => {
    const service = await aService()
    const app = await anApp()
    const { owner, params } = await aScene(app, service.url)
    const body = { name: 'Chat', url: service.url, format: 'slack', kinds: ['card.revealed'] }
    for (let n = 1; n < 10; n += 1) await callOk(app, ENDPOINTS.createWebhook, owner, { params, body })

    const answer = await call(app, ENDPOINTS.createWebhook, owner, { params, body })

    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 400,
      message: 'A watchlist cannot have more than 10 webhooks',
    })
  })
})
