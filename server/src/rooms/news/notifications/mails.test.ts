import pino from 'pino'
import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { MailMessage } from '@marquee/platform/mail/message'
import { startMailQueue } from '@marquee/platform/mail/queue'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { register } from '../../../testing/test-accounts.ts'
import { insertWaitingMails, type NightMailTables } from '../../nights/nights/plan/waiting-mail-store.ts'
import { SEEN_WITHIN_MS } from './delivery.ts'
import { insertMails, type NotificationMailTables } from './mail-store.ts'
import { insertNotifications, type NotificationTables } from './store.ts'

const HOUR_MS = 60 * 60_000
/** Half past seven in UTC. */
const HALF_PAST_SEVEN = 7.5 * HOUR_MS

eachStatement({ product: productMigrations }, (theDatabase) => {
  function clockAt(timeOfDayMs: number) {
    const clock = movableClock()
    const DAY_MS = 24 * HOUR_MS
    clock.moveAhead((DAY_MS + timeOfDayMs - (clock.now().getTime() % DAY_MS)) % DAY_MS)
    return clock
  }

  /** An app whose clock shows this time of the day. */
  async function appAt(timeOfDayMs: number, ports: { announceAfterMs?: number } = {}) {
    const clock = clockAt(timeOfDayMs)
    return { clock, ...(await startApp(theDatabase().withTables(), { clock, ...ports })) }
  }

  async function aScene(app: TestApp) {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })
    return { ana, ben, watchlist }
  }
  const change = async (app: TestApp, user: Caller, body: object) =>
    await callOk(app, ENDPOINTS.changeNotificationSettings, user, { body })
  const reveal = async (app: TestApp, inside: Watchlist, by: Caller, title: string) =>
    await aCard(app, { inside, by, status: 'REVEALED', title })
  const mailsTo = (app: TestApp, user: Caller) => app.mails().filter(({ to }) => to === emailOf(user))
  /** The notifications that wait to be mailed to a user, by their time. */
  const waiting = async (user: Caller) =>
    await theDatabase()
      .withTables<NotificationMailTables>()
      .read.selectFrom('notification_mail')
      .select(['notification_id as id', 'due_at as dueAt'])
      .where('user_id', '=', user.userId)
      .execute()
  /** The mails about nights that wait for the end of quiet hours. */
  const waitingForNights = async () =>
    await theDatabase().withTables<NightMailTables>().read.selectFrom('night_mail').select('username').execute()
  /** Waits for a mail to be due, and lets the time pass in which an open page may say that its user has seen the news. */
  const remainUnseen = async (app: Awaited<ReturnType<typeof appAt>>, user: Caller) => {
    await vi.waitFor(async () => expect(await waiting(user)).not.toEqual([]), WITHIN)
    app.clock.moveAhead(SEEN_WITHIN_MS)
    await change(app, user, {})
  }
  /** Waits until the kinds of notifications of a user are these, newest first. */
  const listed = async (app: TestApp, user: Caller, kinds: string[]) =>
    await vi.waitFor(async () => {
      const { notifications } = await callOk(app, ENDPOINTS.listNotifications, user)
      expect(notifications.map(({ kind }) => kind)).toEqual(kinds)
    }, WITHIN)

  test('events within an hour after a mail are collected in the next mail', async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ana, ben, watchlist } = await aScene(app)
    await change(app, ben, { groups: { draws: { mail: 'at-once' } } })

    await reveal(app, watchlist, ana, 'Night Tram')
    await remainUnseen(app, ben)
    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(1), WITHIN)
    await reveal(app, watchlist, ana, 'Stalker')
    await reveal(app, watchlist, ana, 'Alien\r\nhttps://evil.example/')
    await vi.waitFor(async () => expect(await waiting(ben)).toHaveLength(2), WITHIN)
    await remainUnseen(app, ben)
    await vi.waitFor(async () => {
      const times = (await waiting(ben)).map(({ dueAt }) => Number(dueAt) - app.clock.now().getTime())
      expect(times.map((ms) => Math.round(ms / HOUR_MS))).toEqual([1, 1])
    }, WITHIN)
    app.clock.moveAhead(HOUR_MS)
    await reveal(app, watchlist, ana, 'Heat')
    await listed(app, ben, ['revealed', 'revealed', 'revealed', 'revealed'])
    await remainUnseen(app, ben)

    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(2), WITHIN)
    const [first, second] = mailsTo(app, ben)
    expect(first?.subject).toBe('ana revealed Night Tram')
    expect(first?.text).toContain(`ana revealed a movie\n\n> Night Tram · ${watchlist.name}\n\n`)
    expect(first?.text).toMatch(new RegExp(`\nhttp://marquee.test/watchlists/${watchlist.id}#card-[\\w-]+\n`, 'u'))
    expect(second?.subject).toMatch(/^[23] new notifications$/u)
    expect(second?.text).toContain(`> Alien https://evil.example/ · ${watchlist.name}\n`)
    expect(second?.text).not.toContain('Night Tram')
    await app.stop()
  })

  test('the daily mail has unread notifications of the user’s watchlists about cards outside the box', async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ana, ben, watchlist } = await aScene(app)
    const { watchlist: left } = await aWatchlist(app, { owner: ana, members: [ben] })
    const { watchlist: muted } = await aWatchlist(app, { owner: ana, members: [ben] })
    await change(app, ben, { groups: { draws: { mail: 'daily' } } })
    await reveal(app, watchlist, ana, 'Read')
    await listed(app, ben, ['revealed'])
    const { notifications } = await callOk(app, ENDPOINTS.listNotifications, ben)
    await callOk(app, ENDPOINTS.readNotifications, ben, { body: { upTo: notifications[0]?.id } })
    await reveal(app, left, ana, 'Left')
    await reveal(app, muted, ana, 'Muted')
    const back = await reveal(app, watchlist, ana, 'Put back')
    await reveal(app, watchlist, ana, 'News')
    await listed(app, ben, ['revealed', 'revealed', 'revealed', 'revealed', 'revealed'])
    expect(mailsTo(app, ben)).toEqual([])
    await callOk(app, ENDPOINTS.removeMember, ben, { params: { watchlistId: left.id, username: ben.username } })
    await change(app, ben, { watchlist: { watchlistId: muted.id, isMuted: true } })
    await callOk(app, ENDPOINTS.moveCard, ana, {
      params: { watchlistId: watchlist.id, cardId: back.id },
      body: { status: 'SUGGESTED' },
    })

    app.clock.moveAhead(HOUR_MS)
    await change(app, ben, {})

    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(1), WITHIN)
    expect(mailsTo(app, ben)[0]?.text.match(/^> .*$/gmu)).toEqual([`> News · ${watchlist.name}`])
    expect(await waiting(ben)).toEqual([])
    await app.stop()
  })

  test('a mail waits for the end of quiet hours, and is not sent if mails are turned off meanwhile', async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ana, ben, watchlist } = await aScene(app)
    const cleo = aUser('cleo')
    const { watchlist: other } = await aWatchlist(app, { owner: ana, members: [cleo] })
    const quiet = { groups: { draws: { mail: 'at-once' } }, quietHours: { from: '07:00', until: '09:00' } }
    for (const user of [ben, cleo]) await change(app, user, quiet)
    await reveal(app, watchlist, ana, 'Night Tram')
    await reveal(app, other, ana, 'Stalker')
    await vi.waitFor(async () => {
      const times = [...(await waiting(ben)), ...(await waiting(cleo))].map(({ dueAt }) => new Date(Number(dueAt)))
      expect(times.map((time) => time.toISOString().slice(11))).toEqual(['09:00:00.000Z', '09:00:00.000Z'])
    }, WITHIN)

    await change(app, cleo, { groups: { draws: { mail: 'off' } } })
    await vi.waitFor(async () => expect(await waiting(cleo)).toEqual([]), WITHIN)
    app.clock.moveAhead(2 * HOUR_MS)
    await change(app, ben, {})

    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(1), WITHIN)
    expect(mailsTo(app, cleo)).toEqual([])
    await app.stop()
  })

  test(
    'a night planned in quiet hours is mailed later, but not to members who left, muted it or turned mails off',
    { tags: ['race'] },
    async () => {
      const app = await appAt(HALF_PAST_SEVEN)
      const { ana, ben, watchlist } = await aScene(app)
      const [cleo, dora, emil] = [aUser('cleo'), aUser('dora'), aUser('emil')]
      const { watchlist: other } = await aWatchlist(app, { owner: ana, members: [cleo, dora, emil] })
      const members = [ben, cleo, dora, emil]
      for (const user of members) await change(app, user, { quietHours: { from: '07:00', until: '09:00' } })
      for (const { id } of [watchlist, other]) {
        const body = { times: ['2098-11-28T20:00'], timeZone: 'UTC' }
        await callOk(app, ENDPOINTS.planNight, ana, { params: { watchlistId: id }, body })
      }
      for (const user of members) await listed(app, user, ['night-planned'])
      await vi.waitFor(() => expect(mailsTo(app, ana)).toHaveLength(2), WITHIN)
      await callOk(app, ENDPOINTS.removeMember, cleo, { params: { watchlistId: other.id, username: cleo.username } })
      await change(app, dora, { watchlist: { watchlistId: other.id, isMuted: true } })
      await change(app, emil, { groups: { nights: { mail: 'off' } } })
      expect(members.flatMap((user) => mailsTo(app, user))).toEqual([])

      app.clock.moveAhead(2 * HOUR_MS)
      for (const user of members) await change(app, user, {})

      await vi.waitFor(async () => {
        expect(members.map((user) => mailsTo(app, user).length)).toEqual([1, 0, 0, 0])
        expect((await Promise.all(members.map(waiting))).flat()).toEqual([])
      }, WITHIN)
      expect(mailsTo(app, ben)[0]?.text).toContain(`> ${watchlist.name}`)
      await app.stop()
    },
  )

  test.each([
    ['during quiet hours, and announced after them', HALF_PAST_SEVEN, { from: '07:00', until: '08:00' }],
    ['before quiet hours, and announced during them', HALF_PAST_SEVEN, { from: '08:00', until: '09:00' }],
  ])('a night that is planned %s is mailed once', async (_when, time, quietHours) => {
    const app = await appAt(time, { announceAfterMs: 500 })
    const { ana, ben, watchlist } = await aScene(app)
    await change(app, ben, { quietHours })
    const body = { times: ['2098-11-28T20:00'], timeZone: 'UTC' }
    await callOk(app, ENDPOINTS.planNight, ana, { params: { watchlistId: watchlist.id }, body })

    app.clock.moveAhead(HOUR_MS)
    await listed(app, ben, ['night-planned'])
    const dueLater = (await waiting(ben)).filter(({ dueAt }) => Number(dueAt) > app.clock.now().getTime())

    expect(dueLater).toEqual([])
    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(1), WITHIN)
    await app.stop()
  })

  /** Apps with an outbox that has their clock. `restart` starts another one, which looks at once for what is due. */
  async function appsWithOutbox() {
    const clock = clockAt(HALF_PAST_SEVEN)
    const delivered: MailMessage[] = []
    const transport = { deliver: async (_id: string, message: MailMessage) => void delivered.push(message) }
    const logger = pino({ level: 'silent' })
    const mail = startMailQueue({
      database: theDatabase().withTables(),
      clock,
      random: systemRandom,
      logger,
      transport,
    })
    const start = async () => await startApp(theDatabase().withTables(), { clock, mail })
    let app = await start()
    return {
      clock,
      app: () => app,
      mailsAt: (address: string) => delivered.filter(({ to }) => to === address),
      restart: async () => {
        await app.stop()
        app = await start()
        mail.wake()
      },
      stop: async () => {
        await app.stop()
        await mail.stop()
      },
    }
  }
  const QUIET = { quietHours: { from: '08:00', until: '12:00' } }
  const entryOf = ({ calendar }: MailMessage) =>
    `${calendar?.method} ${/SEQUENCE:\d/u.exec(calendar?.content ?? '')?.[0]}`

  test('calendar entries are updated and removed after quiet hours, with one mail for each night', async () => {
    const { clock, app, mailsAt, restart, stop } = await appsWithOutbox()
    const { ana, ben, watchlist } = await aScene(app())
    await change(app(), ben, QUIET)
    const body = { times: ['2098-11-28T20:00'], timeZone: 'UTC' }
    const plan = async () =>
      await callOk(app(), ENDPOINTS.planNight, ana, { params: { watchlistId: watchlist.id }, body })
    const entries = () =>
      mailsAt(emailOf(ben))
        .map((mail) => entryOf(mail))
        .toSorted()
    const [changed, cancelled, reopened] = [await plan(), await plan(), await plan()]
    await vi.waitFor(() => expect(entries()).toHaveLength(3), WITHIN)

    clock.moveAhead(1.5 * HOUR_MS)
    const changeTo = async ({ id: nightId }: { id: string }, ...times: string[]) =>
      await callOk(app(), ENDPOINTS.changeNight, ana, { params: { nightId }, body: { ...body, times } })
    await changeTo(changed, '2098-11-28T21:00')
    await changeTo(changed, '2098-11-28T22:00')
    await callOk(app(), ENDPOINTS.cancelNight, ana, { params: { nightId: cancelled.id } })
    await changeTo(reopened, '2098-11-28T21:00', '2098-11-29T21:00')
    await changeTo(reopened, '2098-11-28T22:00', '2098-11-29T22:00')
    await plan()
    await vi.waitFor(() => expect(mailsAt(emailOf(ana))).toHaveLength(8), WITHIN)
    await vi.waitFor(async () => expect(await waiting(ben)).toHaveLength(1), WITHIN)
    const before = ['PUBLISH SEQUENCE:0', 'PUBLISH SEQUENCE:0', 'PUBLISH SEQUENCE:0']
    expect(entries()).toEqual(before)
    clock.moveAhead(3 * HOUR_MS)
    await restart()

    const after = ['CANCEL SEQUENCE:1', 'CANCEL SEQUENCE:2', ...before, 'PUBLISH SEQUENCE:2']
    await vi.waitFor(() => expect(entries().filter((entry) => !entry.startsWith('undefined'))).toEqual(after), WITHIN)
    await stop()
  })

  test('a mail delayed by quiet hours is not sent to former members, after muting, or to an old address', async () => {
    const { clock, app, mailsAt, restart, stop } = await appsWithOutbox()
    const [ana, ben, cleo, dora] = [aUser('ana'), aUser('ben'), aUser('cleo'), aUser('dora')]
    const [emil, fay, gus] = [aUser('emil'), aUser('fay'), aUser('gus')]
    const members = [ben, cleo, dora, emil, fay, gus]
    const { watchlist } = await aWatchlist(app(), { owner: ana, members })
    const params = { watchlistId: watchlist.id }
    for (const user of members) await change(app(), user, QUIET)
    const soon = new Date(clock.now().getTime() + 3.5 * HOUR_MS).toISOString().slice(0, 16)
    const bodyOf = (time: string, place: string) => ({ times: [time], timeZone: 'UTC', place })
    const plan = async (time: string) =>
      await callOk(app(), ENDPOINTS.planNight, ana, { params, body: bodyOf(time, 'Old place') })
    const [later, begun] = [await plan('2098-11-28T20:00'), await plan(soon)]
    const counts = () => members.map((user) => mailsAt(emailOf(user)).length)
    await vi.waitFor(() => expect(counts()).toEqual([2, 2, 2, 2, 2, 2]), WITHIN)

    clock.moveAhead(1.5 * HOUR_MS)
    for (const [{ id: nightId }, time] of [[later, '2098-11-28T20:00'] as const, [begun, soon] as const]) {
      await callOk(app(), ENDPOINTS.changeNight, ana, { params: { nightId }, body: bodyOf(time, 'New place') })
    }
    await vi.waitFor(() => expect(mailsAt(emailOf(ana))).toHaveLength(4), WITHIN)
    await callOk(app(), ENDPOINTS.removeMember, ana, { params: { ...params, username: cleo.username } })
    await change(app(), dora, { watchlist: { watchlistId: watchlist.id, isMuted: true } })
    await change(app(), emil, { groups: { nights: { mail: 'off' } } })
    register({ ...fay, email: 'fay@elsewhere.example' })
    register({ ...gus, email: emailOf(gus), userId: 'another account with this name' })
    await change(app(), ben, { groups: { nights: { mail: 'daily' } } })
    clock.moveAhead(3 * HOUR_MS)
    await restart()

    await vi.waitFor(() => expect(mailsAt('fay@elsewhere.example')).toHaveLength(1), WITHIN)
    await vi.waitFor(async () => expect(await waitingForNights()).toEqual([]), WITHIN)
    await vi.waitFor(() => expect(counts()).toEqual([3, 2, 2, 2, 2, 2]), WITHIN)
    const [sent] = mailsAt('fay@elsewhere.example')
    expect([sent && entryOf(sent), sent?.calendar?.content]).toEqual([
      'PUBLISH SEQUENCE:1',
      expect.stringContaining('New place'),
    ])
    await stop()
  })

  test('a member removed by a process of an earlier version gets no waiting mail', async () => {
    const { clock, app, mailsAt, restart, stop } = await appsWithOutbox()
    const { ana, ben, watchlist } = await aScene(app())
    const cleo = aUser('cleo')
    const night = await plan(app(), watchlist, ana)
    await vi.waitFor(() => expect(mailsAt(emailOf(ben))).toHaveLength(1), WITHIN)
    await theDatabase().transaction(async (trx) => {
      const [watchlist_id = '', night_id = ''] = night.id.split('_')
      const key = { watchlist_id, night_id, changed_by: ana.username, was_at: null, due_at: clock.now().getTime() }
      const readers = [ben, cleo].map(({ userId: user_id, username }) => ({ user_id, username }))
      await insertWaitingMails(
        trx,
        readers.map((reader) => ({ ...key, ...reader })),
      )
    })
    clock.moveAhead(HOUR_MS)
    await restart()

    await vi.waitFor(async () => expect(await waitingForNights()).toEqual([]), WITHIN)
    await vi.waitFor(() => expect(mailsAt(emailOf(ben))).toHaveLength(2), WITHIN)
    expect(mailsAt(emailOf(cleo))).toEqual([])
    await stop()
  })

  test('two processes send one mail with 20 notifications and a count of the others', { tags: ['race'] }, async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ben, watchlist } = await aScene(app)
    await change(app, ben, { groups: { joins: { mail: 'at-once' } } })
    await app.stop()
    const rows = Array.from({ length: 32 }, (_, n): NotificationTables['notification'] => ({
      user_id: ben.userId,
      id: `id-${String(n).padStart(4, '0')}`,
      watchlist_id: watchlist.id,
      kind: 'joined',
      actor: `user ${n}`,
      card_id: null,
      starts_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      is_read: 0,
      is_listed: 1,
    }))
    await theDatabase().transaction(async (trx) => {
      for (const row of rows) await insertNotifications(trx, [row])
      const { userId: user_id, username } = ben
      await insertMails(
        trx,
        rows.map(({ id }) => ({ user_id, notification_id: id, username, due_at: 0 })),
      )
    })

    const apps = await Promise.all([appAt(HALF_PAST_SEVEN), appAt(HALF_PAST_SEVEN)])

    const mails = () => apps.flatMap((one) => mailsTo(one, ben))
    await vi.waitFor(() => expect(mails()).toHaveLength(1), WITHIN)
    expect(await waiting(ben)).toEqual([])
    for (const one of apps) await one.stop()
    expect(mails().map(({ subject }) => subject)).toEqual(['32 new notifications'])
    const text = mails()[0]?.text ?? ''
    expect(text.match(/^user \d+ joined$/gmu)).toHaveLength(20)
    expect(text).toContain('user 12 joined')
    expect(text).not.toContain('user 11 joined')
    expect(text).toContain('\nAnd 12 older ones.\n')
    expect(text).toContain('\nhttp://marquee.test/notifications\n')
  })

  const refusedEmail = async (app: TestApp, user: Caller) =>
    (await callOk(app, ENDPOINTS.getNotificationSettings, user)).refusedEmail
  const plan = async (app: TestApp, { id: watchlistId }: Watchlist, by: Caller) =>
    await callOk(app, ENDPOINTS.planNight, by, {
      params: { watchlistId },
      body: { times: ['2098-11-28T20:00'], timeZone: 'UTC' },
    })

  test('an address that refused a mail gets none about notifications and nights until its user tries again', async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ana, ben, watchlist } = await aScene(app)
    await change(app, ben, { groups: { draws: { mail: 'at-once' } } })
    app.refusing.add(emailOf(ben))
    await reveal(app, watchlist, ana, 'Night Tram')
    await remainUnseen(app, ben)
    await vi.waitFor(async () => expect(await refusedEmail(app, ben)).toBe(emailOf(ben)), WITHIN)
    expect(await refusedEmail(app, ana)).toBeUndefined()
    app.refusing.clear()
    app.clock.moveAhead(HOUR_MS)

    await reveal(app, watchlist, ana, 'Stalker')
    await plan(app, watchlist, ana)
    await listed(app, ben, ['night-planned', 'revealed', 'revealed'])
    app.clock.moveAhead(SEEN_WITHIN_MS)
    await change(app, ben, {})
    await vi.waitFor(async () => expect(await waiting(ben)).toEqual([]), WITHIN)
    await vi.waitFor(() => expect(mailsTo(app, ana)).toHaveLength(1), WITHIN)
    expect(mailsTo(app, ben)).toEqual([])
    const { refusedEmail: after, ...kept } = await change(app, ben, { refusedEmail: null })
    await reveal(app, watchlist, ana, 'Heat')
    await remainUnseen(app, ben)

    expect([after, kept.groups.draws.mail]).toEqual([undefined, 'at-once'])
    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(1), WITHIN)
    expect(mailsTo(app, ben)[0]?.subject).toBe('ana revealed Heat')
    await app.stop()
  })

  test('an address that refuses a mail about a night is recorded, and a new address of the user gets mails', async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ana, ben, watchlist } = await aScene(app)
    app.refusing.add(emailOf(ben))
    await plan(app, watchlist, ana)
    await vi.waitFor(async () => expect(await refusedEmail(app, ben)).toBe(emailOf(ben)), WITHIN)

    register({ ...ben, email: 'ben@elsewhere.example' })
    const { watchlist: other } = await aWatchlist(app, { owner: ana, members: [ben] })
    await plan(app, other, ana)

    expect(await refusedEmail(app, ben)).toBeUndefined()
    await vi.waitFor(
      () => expect(app.mails().filter(({ to }) => to === 'ben@elsewhere.example')).toHaveLength(1),
      WITHIN,
    )
    await app.stop()
  })

  test('a notification that is only mailed is not in the list', async () => {
    const app = await appAt(HALF_PAST_SEVEN)
    const { ana, ben, watchlist } = await aScene(app)
    await change(app, ben, { groups: { draws: { inApp: false, mail: 'at-once' } } })

    await reveal(app, watchlist, ana, 'Night Tram')
    await remainUnseen(app, ben)

    await vi.waitFor(() => expect(mailsTo(app, ben)).toHaveLength(1), WITHIN)
    expect(await callOk(app, ENDPOINTS.countUnread, ben)).toEqual({ unread: 0 })
    await listed(app, ben, [])
    await app.stop()
  })
})
