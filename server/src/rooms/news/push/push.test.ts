import { afterEach, describe, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { claimRow, findDue } from '@marquee/platform/queue/store'
import { systemRandom } from '@marquee/platform/runtime/random'
import { resealColumns } from '@marquee/platform/sealed/reseal'
import { WITHIN } from '@marquee/platform/testing/within'

import { pushKey } from '../../../master-keys.ts'
import { productMigrations } from '../../../migrations/index.ts'
import type { Ports } from '../../../ports.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { aPushService, readVapid } from '../../../testing/push-service.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { endSignIn } from '../../../testing/test-accounts.ts'
import { SEALED_KEY_PAIR } from './service.ts'
import { type PushTables, WAITING_MESSAGES } from './store.ts'

/** 127.0.0.1 plays the public internet, under names that end in .example and on any port. */
const HERE = {
  allowsHttp: true,
  lookup: async (name: string) => (name.endsWith('.example') ? ['127.0.0.1'] : ['10.0.0.7']),
  allowAddress: (ip: string) => ip === '127.0.0.1',
  allowPort: () => true,
} satisfies Ports['pushFetch']

const KEY = pushKey(Buffer.alloc(32, 1))
const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

type Service = Awaited<ReturnType<typeof aPushService>>

eachStatement<PushTables>({ product: productMigrations }, (theDatabase) => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    // No test sends what an earlier one left.
    await theDatabase().transaction(async (trx) => {
      await trx.deleteFrom('push_subscription').execute()
    })
  })

  async function anApp(ports: Partial<Ports> = {}) {
    const started = await startApp(theDatabase().withTables(), {
      pushFetch: HERE,
      pushKeys: [KEY],
      announceAfterMs: 0,
      ...ports,
    })
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await started.stop()
      isStopped = true
    }
    stops.push(stop)
    return { ...started, stop }
  }

  const save = async (app: TestApp, user: Caller, service: Service, id?: string) =>
    await callOk(app, ENDPOINTS.savePushDevice, user, { body: service.subscription(id) })
  const devices = async (app: TestApp, user: Caller) => (await callOk(app, ENDPOINTS.listPushDevices, user)).devices
  const waiting = async ({ userId }: Caller) =>
    await theDatabase().read.selectFrom('push_message').selectAll().where('user_id', '=', userId).execute()
  const failures = async ({ userId }: Caller) => {
    const ofUser = theDatabase().read.selectFrom('push_subscription').where('user_id', '=', userId)
    return (await ofUser.select('failures').executeTakeFirstOrThrow()).failures
  }
  const settled = async (user: Caller) => {
    await vi.waitFor(async () => expect(await waiting(user)).toEqual([]), WITHIN)
  }

  /** Ana and Ben share a watchlist. Ben has a device. `mention` makes a notification that is sent to it. */
  async function aScene(app: TestApp, service: Service) {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })
    const card = await aCard(app, { inside: watchlist, by: ana, status: 'REVEALED', title: 'Alien' })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    const device = await save(app, ben, service)
    const mention = async (content = '@ben look') =>
      await callOk(app, ENDPOINTS.addComment, ana, { params, body: { content } })
    return { ana, ben, watchlist, card, params, device, mention }
  }

  /** A scene in which the push service has refused the message once. */
  async function aWaitingMessage() {
    const clock = movableClock()
    const service = await aPushService()
    service.answer(503)
    const before = await anApp({ clock })
    const scene = await aScene(before, service)
    await scene.mention()
    await service.waitFor(1)
    await vi.waitFor(async () => expect(await failures(scene.ben)).toBe(1), WITHIN)
    return { ...scene, clock, service, before }
  }

  test('a message is encrypted for the device and signed by the installation', async () => {
    const service = await aPushService()
    const app = await anApp()
    const { ben, mention, params, card } = await aScene(app, service)
    const { publicKey } = await callOk(app, ENDPOINTS.getPushKey, ben)

    await mention()
    await service.waitFor(1)

    const [{ message, headers, path } = { message: {}, headers: {}, path: '' }] = service.received
    expect(message).toEqual({
      title: 'ana mentioned you in a comment on Alien',
      body: 'Friday films',
      url: `/watchlists/${params.watchlistId}#card-${card.id}`,
      tag: expect.any(String) as string,
      lang: 'en',
      dir: 'ltr',
    })
    expect(path).toBe('/send/one')
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
    expect(headers['topic']).toMatch(/^[\w-]{32}$/u)
    expect(Number(headers['ttl'])).toBeGreaterThan(86_000)
    const { key, claims } = readVapid(headers['authorization'])
    expect(key).toBe(publicKey)
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:operator@marquee.test' })
    await settled(ben)
    expect(await devices(app, ben)).toMatchObject([{ usedAt: expect.any(String) as string }])
  })

  test('the settings decide which messages are sent, and quiet hours delay them', async () => {
    const clock = movableClock()
    const service = await aPushService()
    const before = await anApp({ clock })
    const { ana, ben, watchlist, mention } = await aScene(before, service)
    const change = async (body: object) => await callOk(before, ENDPOINTS.changeNotificationSettings, ben, { body })
    const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString().slice(11, 16)
    const quietHours = { from: inHours(-1), until: inHours(2) }
    await change({ groups: { mentions: { push: false } }, quietHours, timeZone: 'UTC' })

    await mention()
    await callOk(before, ENDPOINTS.planNight, ana, {
      params: { watchlistId: watchlist.id },
      body: { times: ['2098-11-28T20:00'], timeZone: 'UTC' },
    })
    await vi.waitFor(async () => {
      const times = (await waiting(ben)).map(({ due_at: dueAt }) => new Date(Number(dueAt)).toISOString().slice(11, 16))
      expect(times).toEqual([quietHours.until])
    }, WITHIN)
    await before.stop()
    clock.moveAhead(3 * HOUR_MS)
    await anApp({ clock })
    await service.waitFor(1)
    await settled(ben)

    expect(service.received.map(({ message }) => message['title'])).toEqual(['ana planned a movie night'])
  })

  test.each([
    ['de', 'ana hat dich in einem Kommentar zu „Alien“ erwähnt', 'ltr'],
    // The name has its own direction.
    ['ar', 'أشار إليك \u2068ana\u2069 في تعليق على \u2068Alien\u2069', 'rtl'],
  ])('a message to a user with the language %s says: %s', async (language, title, dir) => {
    const service = await aPushService()
    const app = await anApp()
    const { ben, mention } = await aScene(app, service)
    await callOk(app, ENDPOINTS.chooseLanguage, ben, { body: { language } })

    await mention()
    await service.waitFor(1)

    expect(service.received[0]?.message).toMatchObject({ title, lang: language, dir })
  })

  test('invitations, draws of the user’s own cards and movie nights are pushed, but other reveals are not', async () => {
    const clock = movableClock()
    const service = await aPushService()
    const app = await anApp({ clock })
    const { ana, ben, watchlist } = await aScene(app, service)
    const params = { watchlistId: watchlist.id }
    await aCard(app, { inside: watchlist, by: ana, status: 'REVEALED' })
    await aCard(app, { inside: watchlist, by: ben, title: 'Stalker' })
    await callOk(app, ENDPOINTS.revealRandomCard, ana, { params })
    await vi.waitFor(async () => expect(await waiting(ben)).toHaveLength(1), WITHIN)
    clock.moveAhead(5 * SECOND_MS)
    await callOk(app, ENDPOINTS.planNight, ana, { params, body: { times: ['2099-01-01T20:00'], timeZone: 'UTC' } })
    await service.waitFor(2)
    const other = await aWatchlist(app, { owner: ana })
    const invited = { watchlistId: other.watchlist.id, username: ben.username }
    await callOk(app, ENDPOINTS.inviteUser, ana, { params: invited, body: { username: ben.username } })
    await service.waitFor(3)

    expect(new Map(service.received.map(({ message: { title, url } }) => [title, url]))).toEqual(
      new Map<unknown, unknown>([
        ['ana drew your suggestion Stalker', expect.stringMatching(/#card-/u)],
        ['ana planned a movie night', `/watchlists/${watchlist.id}/night`],
        ['ana invites you to a watchlist', '/notifications'],
      ]),
    )
  })

  test('a draw that the user saw on the open page is not pushed', async () => {
    const clock = movableClock()
    const service = await aPushService()
    const app = await anApp({ clock })
    const { ana, ben, watchlist, mention } = await aScene(app, service)
    await aCard(app, { inside: watchlist, by: ben, title: 'Stalker' })
    await callOk(app, ENDPOINTS.revealRandomCard, ana, { params: { watchlistId: watchlist.id } })
    await vi.waitFor(async () => expect(await waiting(ben)).toHaveLength(1), WITHIN)

    await callOk(app, ENDPOINTS.seeNotifications, ben, { body: { watchlistId: watchlist.id, forMs: MINUTE_MS } })
    clock.moveAhead(5 * SECOND_MS)
    await mention()

    await settled(ben)
    expect(service.received.map(({ message: { title } }) => title)).toEqual(['ana mentioned you in a comment on Alien'])
  })

  describe('a message that could not be sent at first is dropped', () => {
    test.each<[string, (app: TestApp, given: Awaited<ReturnType<typeof aScene>>) => Promise<unknown>]>([
      [
        'if the user reads the notification',
        async (app, { ben }) => {
          const { notifications } = await callOk(app, ENDPOINTS.listNotifications, ben)
          await callOk(app, ENDPOINTS.readNotifications, ben, { body: { upTo: notifications[0]?.id ?? '' } })
        },
      ],
      [
        'if the card goes back into the box',
        async (app, { ana, params }) =>
          await callOk(app, ENDPOINTS.moveCard, ana, { params, body: { status: 'SUGGESTED' } }),
      ],
      [
        'if the user leaves the watchlist',
        async (app, { ben, params }) =>
          await callOk(app, ENDPOINTS.removeMember, ben, { params: { ...params, username: ben.username } }),
      ],
      ['if the user signs out of the device', async (_app, { ben }) => endSignIn(ben)],
    ])('a waiting message is dropped %s', async (_name, change) => {
      const { clock, service, before, ...given } = await aWaitingMessage()
      await change(before, given)
      await before.stop()

      clock.moveAhead(MINUTE_MS)
      await anApp({ clock })

      await settled(given.ben)
      expect(service.received).toHaveLength(1)
    })
  })

  test('a device on which the user signed out is no longer listed', async () => {
    const service = await aPushService()
    const app = await anApp()
    const { ben } = await aScene(app, service)
    expect(await devices(app, ben)).toHaveLength(1)

    endSignIn(ben)

    expect(await devices(app, ben)).toEqual([])
  })

  test.each([404, 410])('a response with status %i removes the device', async (status) => {
    const service = await aPushService()
    service.answer(status)
    const app = await anApp()
    const { ben, mention } = await aScene(app, service)

    await mention()

    await vi.waitFor(async () => expect(await devices(app, ben)).toEqual([]), WITHIN)
    expect(await waiting(ben)).toEqual([])
  })

  test('a refused message is not sent again, and the device stays', async () => {
    const service = await aPushService()
    service.answer(413)
    const app = await anApp()
    const { ben, mention } = await aScene(app, service)

    await mention()
    await service.waitFor(1)

    await settled(ben)
    expect(await devices(app, ben)).toHaveLength(1)
    expect(app.logged()).toContain('a push service refused a message')
    expect(app.logged()).not.toContain('/send/')
  })

  test.each([429, 500, 'hangs'] as const)('failed messages are sent later, oldest first: %s', async (answer) => {
    const clock = movableClock()
    const service = await aPushService()
    service.answer(answer)
    const before = await anApp({ clock, pushFetch: { ...HERE, timeoutMs: 300 } })
    const { ben, mention } = await aScene(before, service)
    const isPutOff = async () =>
      (await waiting(ben)).map(({ due_at: dueAt }) => dueAt > clock.now().getTime() + SECOND_MS)
    await mention('@ben one')
    await service.waitFor(1)
    // A message that comes before the failure is noted may be tried at once.
    await vi.waitFor(async () => expect(await isPutOff()).toEqual([true]), WITHIN)
    await mention('@ben two')
    await vi.waitFor(async () => expect(await isPutOff()).toEqual([true, true]), WITHIN)
    await before.stop()
    expect(service.received).toHaveLength(1)

    service.answer(201)
    clock.moveAhead(2 * MINUTE_MS)
    await anApp({ clock })

    await service.waitFor(3)
    await settled(ben)
    const [first, second, third] = service.received.map(({ message }) => String(message['tag']))
    expect(first).toBe(second)
    expect(String(third) > String(second)).toBe(true)
  })

  test('the failure of one message does not reschedule another that waits for quiet hours to end', async () => {
    const { ben, device, clock, service, before } = await aWaitingMessage()
    await before.stop()
    const dueAt = clock.now().getTime() + 8 * HOUR_MS
    const later = {
      user_id: ben.userId,
      subscription_id: device.id,
      notification_id: 'later',
      created_at: clock.now().getTime(),
      due_at: dueAt,
    }
    await theDatabase().transaction(async (trx) => await trx.insertInto('push_message').values(later).execute())
    service.answer(201)
    clock.moveAhead(MINUTE_MS)
    await anApp({ clock })

    await vi.waitFor(async () => expect(await waiting(ben)).toEqual([later]), WITHIN)
  })

  test('a push service that does not answer delays neither calls nor devices at other services', async () => {
    const [slow, fast] = [await aPushService('slow.example'), await aPushService('fast.example')]
    slow.answer('hangs')
    const app = await anApp({ pushFetch: { ...HERE, timeoutMs: 1_000 } })
    const { ana, ben, mention, params } = await aScene(app, slow)
    for (let n = 0; n < 15; n += 1) await save(app, ben, slow, `more-${n}`)
    const cleo = aUser('cleo')
    await save(app, cleo, fast)

    await mention()
    await slow.waitFor(8)
    const body = { username: cleo.username }
    await callOk(app, ENDPOINTS.inviteUser, ana, { params, body })
    await fast.waitFor(1)

    // The first eight attempts tell that it does not answer; the others wait.
    expect(slow.received).toHaveLength(8)
  })

  test('a day of failures keeps only the newest 20 messages, which expire a day later', async () => {
    const clock = movableClock()
    const service = await aPushService()
    service.answer(500)
    const app = await anApp({ clock })
    const { ben, mention } = await aScene(app, service)
    for (let hour = 0; hour < 24; hour += 1) {
      clock.moveAhead(HOUR_MS)
      await mention()
      await vi.waitFor(async () => {
        expect(await waiting(ben)).toHaveLength(Math.min(hour + 1, 20))
        expect(await failures(ben)).toBeGreaterThan(hour)
      }, WITHIN)
    }
    // An attempt is for the oldest of them only.
    expect(service.received.length).toBeLessThan(48)
    await app.stop()

    clock.moveAhead(24 * HOUR_MS)
    await anApp({ clock })

    await settled(ben)
  })

  test('a message claimed by a process that died is sent once by another', { tags: ['race'] }, async () => {
    const { ben, clock, service, before } = await aWaitingMessage()
    await before.stop()
    service.answer(201)
    clock.moveAhead(MINUTE_MS)
    const now = clock.now().getTime()
    const [message] = await findDue(theDatabase().read, WAITING_MESSAGES, { now, limit: 1 })
    if (!message) throw new Error('No message is due')
    const claim = { until: now + MINUTE_MS, by: 'a dying process' }
    await theDatabase().transaction(async (trx) => await claimRow(trx, WAITING_MESSAGES, message, claim))

    await Promise.all([anApp({ clock }), anApp({ clock })])
    expect(service.received).toHaveLength(1)
    clock.moveAhead(MINUTE_MS)
    await Promise.all([anApp({ clock }), anApp({ clock })])

    await service.waitFor(2)
    await settled(ben)
    expect(service.received).toHaveLength(2)
  })

  describe('a device', () => {
    test.each([
      ['http://push.example/send', { allowsHttp: false }],
      ['https://intranet.test/send', {}],
      ['https://127.0.0.1/send', { allowAddress: () => false }],
      ['not a URL', {}],
    ])('a device with the address %s is refused', async (endpoint, more) => {
      const service = await aPushService()
      const app = await anApp({ pushFetch: { ...HERE, ...more } })

      const answer = await call(app, ENDPOINTS.savePushDevice, aUser(), {
        body: { ...service.subscription(), endpoint },
      })

      expect([answer.status, answer.body.message]).toEqual([400, 'This address cannot be used'])
    })

    test('a device whose address has become internal gets no messages', async () => {
      const { ben, clock, service, before } = await aWaitingMessage()
      await before.stop()

      clock.moveAhead(MINUTE_MS)
      await anApp({ clock, pushFetch: { ...HERE, allowAddress: () => false } })

      await vi.waitFor(async () => {
        expect(await failures(ben)).toBe(2)
      }, WITHIN)
      expect(service.received).toHaveLength(1)
    })

    test('a device without a valid browser key is refused', async () => {
      const service = await aPushService()
      const app = await anApp()
      const body = service.subscription()

      const answer = await call(app, ENDPOINTS.savePushDevice, aUser(), {
        body: { ...body, p256dh: `B${'A'.repeat(86)}` },
      })

      expect([answer.status, answer.body.message]).toEqual([400, 'p256dh: this is not a key of a browser'])
    })

    test('a device is saved once, has a coarse name, and belongs to its user', async () => {
      const service = await aPushService()
      const app = await anApp()
      const [ana, ben] = [aUser('ana'), aUser('ben')]
      const first = await save(app, ana, service)
      const again = await save(app, ana, service)

      const { renewal, ...shown } = first
      expect(again).toMatchObject(shown)
      expect(await devices(app, ana)).toEqual([shown])
      expect(renewal).not.toContain(shown.id)
      const params = { deviceId: first.id }
      expect((await call(app, ENDPOINTS.removePushDevice, ben, { params })).status).toBe(404)
      expect((await call(app, ENDPOINTS.removePushDevice, ana, { params })).status).toBe(204)
      expect(await devices(app, ana)).toEqual([])
      const stored = await theDatabase().read.selectFrom('push_subscription').selectAll().execute()
      expect(JSON.stringify(stored)).not.toContain('push.example')
    })

    test('a 21st device replaces the device that was used longest ago', async () => {
      const service = await aPushService()
      const clock = movableClock()
      const app = await anApp({ clock })
      const ana = aUser('ana')
      const saved = []
      for (let n = 0; n < 21; n += 1) {
        clock.moveAhead(SECOND_MS)
        saved.push((await save(app, ana, service, `device-${n}`)).id)
      }

      expect((await devices(app, ana)).map(({ id }) => id)).toEqual(saved.slice(1).toReversed())
    })

    test('a device is in the export of its user, and is deleted with the account', async () => {
      const service = await aPushService()
      const app = await anApp()
      const { ben, device } = await aScene(app, service)
      const { pushDevices } = await callOk(app, ENDPOINTS.exportData, ben)
      expect(pushDevices.map(({ id }) => id)).toEqual([device.id])

      await theDatabase().transaction(
        async (trx) => await removePersonAt(movableClock(), systemRandom)(trx, ben.userId),
      )

      const left = await theDatabase()
        .read.selectFrom('push_subscription')
        .select('id')
        .where('user_id', '=', ben.userId)
        .execute()
      expect(left).toEqual([])
    })
  })

  describe('a device whose browser has changed the subscription', () => {
    const renew = async (app: TestApp, renewal: string, service: Service, id: string) =>
      await call(app, ENDPOINTS.renewPushDevice, undefined, { body: { ...service.subscription(id), renewal } })

    test('a renewal needs no sign-in and keeps the waiting messages of the device', async () => {
      const { ben, device, clock, service, before } = await aWaitingMessage()
      const { status, body } = await renew(before, device.renewal, service, 'two')
      await before.stop()

      service.answer(201)
      clock.moveAhead(MINUTE_MS)
      const app = await anApp({ clock })
      await service.waitFor(2)

      expect([status, body['device'], body['createdAt']]).toEqual([200, device.device, device.createdAt])
      expect(service.received.map(({ path }) => path)).toEqual(['/send/one', '/send/two'])
      expect((await devices(app, ben)).map(({ id }) => id)).toEqual([body['id']])
    })

    test('a renewed device stays one device, even if the app saves the new subscription first', async () => {
      const clock = movableClock()
      const service = await aPushService()
      service.answer(503)
      const app = await anApp({ clock })
      const { ben, device, mention } = await aScene(app, service)
      const { id } = await save(app, ben, service, 'two')
      await mention()
      await service.waitFor(2)

      const { status } = await renew(app, device.renewal, service, 'two')

      expect(status).toBe(200)
      expect((await devices(app, ben)).map((one) => one.id)).toEqual([id])
      expect(await waiting(ben)).toHaveLength(1)
    })

    test('a device is not renewed after its removal, after a sign-out, or with a forged renewal', async () => {
      const service = await aPushService()
      const app = await anApp()
      const { ana, ben, device } = await aScene(app, service)
      const { id, renewal } = await save(app, ana, service)
      await callOk(app, ENDPOINTS.removePushDevice, ana, { params: { deviceId: id } })
      endSignIn(ben)

      const answers = [
        await renew(app, renewal, service, 'two'),
        await renew(app, device.renewal, service, 'two'),
        await renew(app, 'made up', service, 'two'),
      ]

      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    })
  })

  test('all processes share one key pair, even after a change of the master key', { tags: ['race'] }, async () => {
    const next = pushKey(Buffer.alloc(32, 2))
    const ana = aUser('ana')
    const keyOf = async (pushKeys: Ports['pushKeys']) =>
      (await callOk(await anApp({ pushKeys }), ENDPOINTS.getPushKey, ana)).publicKey
    const reseal = async (keys: Ports['pushKeys']) =>
      await resealColumns({ database: theDatabase().withTables(), random: systemRandom }, [
        { ...SEALED_KEY_PAIR, keys },
      ])

    const [one, other] = await Promise.all([keyOf([KEY]), keyOf([KEY])])
    const during = await keyOf([next, KEY])
    await reseal([next, KEY])
    const after = await keyOf([next])
    // For the other tests.
    await reseal([KEY, next])

    expect(one).toMatch(/^B[\w-]{86}$/u)
    expect([other, during, after]).toEqual([one, one, one])
  })
})
