import { setTimeout as pause } from 'node:timers/promises'

import ICAL from 'ical.js'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { type Body, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Night, NightAnswer } from '@marquee/contract/entities/night'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist, emailOf } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { anApp } from '../../../testing/start-app.ts'
import { lockWatchlist } from '../../club/watchlists/service.ts'
import { insertMember } from '../../club/watchlists/store.ts'
import { saveChanges } from '../../news/notifications/settings-store.ts'
import type { NightFeedTables } from './plan/feed-store.ts'

const HOUR_MS = 60 * 60_000
const FRIDAY = '2098-11-28T19:00:00.000Z'
const SATURDAY = '2098-11-29T19:00:00.000Z'
const PLAN = { times: ['2098-11-28T20:00', '2098-11-29T20:00'], timeZone: 'Europe/Berlin' }

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock, bus })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] }))
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const plan = async (body: Partial<Body<typeof ENDPOINTS.planNight>> = {}, by = ana) =>
    await callOk(theApp(), ENDPOINTS.planNight, by, { params: inThis(), body: { ...PLAN, ...body } })
  const open = async (by = ana) => await callOk(theApp(), ENDPOINTS.openNight, by, { params: inThis() })
  const list = async (by = ana) => (await callOk(theApp(), ENDPOINTS.listNights, by, { params: inThis() })).nights
  const step = async (
    name: 'startNight' | 'endNight' | 'cancelNight' | 'arriveAtNight' | 'leaveNight',
    { id: nightId }: Night,
    by = ana,
  ) => await call(theApp(), ENDPOINTS[name], by, { params: { nightId } })
  const answer = async ({ id: nightId }: Night, by: Caller, startsAt: string, given: NightAnswer | null) =>
    await callOk(theApp(), ENDPOINTS.answerNight, by, { params: { nightId }, body: { startsAt, answer: given } })
  const present = ({ present: people }: Night) => people.map(({ username }) => username)

  describe('a planned night', () => {
    test('a planned night has its times, place, note and longest runtime', async () => {
      const night = await plan({ place: 'At Ana’s', note: 'Bring popcorn', maxRuntimeMinutes: 130 })

      expect(night).toMatchObject({
        state: 'planned',
        timeZone: 'Europe/Berlin',
        place: 'At Ana’s',
        note: 'Bring popcorn',
        maxRuntimeMinutes: 130,
        createdBy: 'ana',
        times: [
          { startsAt: FRIDAY, localTime: '2098-11-28T20:00', answers: [] },
          { startsAt: SATURDAY, localTime: '2098-11-29T20:00', answers: [] },
        ],
      })
      expect(await list(ben)).toEqual([night])
    })

    test('a planned night collects answers to each time, which can be changed and withdrawn', async () => {
      const night = await plan()
      await answer(night, ana, FRIDAY, 'in')
      await answer(night, ana, SATURDAY, 'out')
      await answer(night, ben, FRIDAY, 'in')
      await answer(night, ben, FRIDAY, 'maybe')
      const answered = await answer(night, ana, SATURDAY, null)

      expect(answered.times.map(({ answers }) => answers)).toEqual([
        [
          { username: 'ana', answer: 'in' },
          { username: 'ben', answer: 'maybe' },
        ],
        [],
      ])
    })

    test('fixing the time of a planned night keeps only that time, with its answers', async () => {
      const night = await plan()
      await answer(night, ben, SATURDAY, 'in')
      const params = { nightId: night.id }

      const fixed = await callOk(theApp(), ENDPOINTS.fixNightTime, ana, { params, body: { startsAt: SATURDAY } })

      expect(fixed.times).toEqual([
        { startsAt: SATURDAY, localTime: '2098-11-29T20:00', answers: [{ username: 'ben', answer: 'in' }] },
      ])
      const late = await call(theApp(), ENDPOINTS.answerNight, ben, {
        params,
        body: { startsAt: FRIDAY, answer: 'in' },
      })
      expect([late.status, late.body.message]).toEqual([400, 'startsAt: This time is not one of the options'])
    })

    test('a planned night keeps the answers to times that a change does not remove', async () => {
      const night = await plan()
      await answer(night, ben, FRIDAY, 'in')
      await answer(night, ben, SATURDAY, 'in')
      const body = { ...PLAN, times: ['2098-11-28T20:00', '2098-11-30T20:00'], place: 'At Ben’s' }

      const changed = await callOk(theApp(), ENDPOINTS.changeNight, ben, { params: { nightId: night.id }, body })

      expect(changed.place).toBe('At Ben’s')
      expect(changed.times.map(({ localTime, answers }) => [localTime, answers.length])).toEqual([
        ['2098-11-28T20:00', 1],
        ['2098-11-30T20:00', 0],
      ])
    })

    test('a cancelled night is no longer listed, and cannot be started', async () => {
      const night = await plan()
      await step('cancelNight', night)
      await step('cancelNight', night)

      const started = await step('startNight', night)

      expect([started.status, started.body.message]).toEqual([400, 'This night was cancelled'])
      expect(await list()).toEqual([])
    })

    test('a watchlist has at most 20 planned nights', async () => {
      for (let n = 0; n < 20; n += 1) await plan()

      const one = await call(theApp(), ENDPOINTS.planNight, ana, { params: inThis(), body: PLAN })

      expect([one.status, one.body.message]).toEqual([400, 'A watchlist cannot have more than 20 planned nights'])
    })

    test('a planned night is no longer listed a day after its last time', async () => {
      const soon = new Date(clock.now().getTime() + HOUR_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
      await plan({ times: [soon], timeZone: 'UTC' })
      clock.moveAhead(24 * HOUR_MS)
      expect(await list()).toHaveLength(1)

      clock.moveAhead(HOUR_MS)

      expect(await list()).toEqual([])
    })
  })

  describe('an open night', () => {
    test('two members who start a night at once get the same open night', { tags: ['race'] }, async () => {
      const [one, other] = await Promise.all([open(ana), open(ben)])

      expect(one.id).toBe(other.id)
      const [night] = await list()
      expect(night && present(night).toSorted()).toEqual(['ana', 'ben'])
    })

    test('only one of two planned nights that are started at once opens', { tags: ['race'] }, async () => {
      const [first, second] = [await plan(), await plan()]

      const answers = await Promise.all([step('startNight', first), step('startNight', second, ben)])

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
      expect((await list()).map(({ state }) => state)).toEqual(['open', 'planned'])
    })

    test('starting an open night again succeeds and changes nothing', async () => {
      const night = await plan()
      await step('startNight', night)

      const again = await step('startNight', night, ben)

      expect(again.status).toBe(200)
      expect((await list()).map(present)).toEqual([['ana']])
    })

    test('an open night lists the people who are there, in the order of arrival', async () => {
      const night = await open()
      clock.moveAhead(1000)
      await step('arriveAtNight', night, ben)
      expect((await list()).map(present)).toEqual([['ana', 'ben']])

      await step('leaveNight', night)
      expect((await list()).map(present)).toEqual([['ben']])

      clock.moveAhead(1000)
      await step('arriveAtNight', night)
      expect((await list()).map(present)).toEqual([['ben', 'ana']])
    })

    test('any member can end an open night for all, and a new one can start', async () => {
      const night = await open()
      await step('endNight', night, ben)
      expect((await step('endNight', night)).status).toBe(200)

      const late = await step('arriveAtNight', night, ben)

      expect([late.status, late.body.message]).toEqual([400, 'This night has ended'])
      expect((await open()).id).not.toBe(night.id)
    })

    test('an open night ends by itself after a day', async () => {
      const night = await open()
      clock.moveAhead(24 * HOUR_MS)

      const seen = await callOk(theApp(), ENDPOINTS.getNight, ana, { params: { nightId: night.id } })

      expect(seen.state).toBe('ended')
      expect(await list()).toEqual([])
      expect((await open()).id).not.toBe(night.id)
    })

    test('a removed member is no longer at the open night, and their answers to plans are deleted', async () => {
      const night = await open()
      await step('arriveAtNight', night, ben)
      await answer(await plan(), ben, FRIDAY, 'in')
      await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(), username: 'ben' } })

      expect((await step('arriveAtNight', night, ben)).status).toBe(403)
      const nights = await list()
      expect(nights.map(present)).toEqual([['ana'], []])
      expect(nights[1]?.times[0]?.answers).toEqual([])
    })

    test('a member who is removed while arriving is not at the night', { tags: ['race'] }, async () => {
      const night = await open()

      await Promise.all([
        step('arriveAtNight', night, ben),
        callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(), username: 'ben' } }),
      ])

      expect((await list()).map(present)).toEqual([['ana']])
    })

    test('a user whose account is deleted is no longer at the night', async () => {
      const night = await open()
      await step('arriveAtNight', night, ben)

      await theDatabase().transaction(async (trx) => {
        await removePersonAt(clock, systemRandom)(trx, ben.userId)
      })

      expect((await list()).map(present)).toEqual([['ana']])
    })
  })

  describe('mails and calendar entries', () => {
    /** The mails to a member, without those of earlier tests: subject, method, sequence and status. */
    const mailsTo = async (to: Caller, count: number) => {
      const mails = () =>
        theApp()
          .mails()
          .filter((mail) => mail.to === emailOf(to))
      await vi.waitFor(() => expect(mails()).toHaveLength(count), WITHIN)
      return mails().map(({ subject, calendar }) => {
        const entry = calendar && new ICAL.Component(ICAL.parse(calendar.content) as unknown[])
        const event = entry?.getFirstSubcomponent('vevent')
        const values = ['uid', 'sequence', 'status', 'dtstart'].map((name) => event?.getFirstPropertyValue(name))
        const summary = event?.getFirstPropertyValue('summary')?.toString()
        return { subject, summary, method: calendar?.method, event: values.map((value) => value?.toString()) }
      })
    }

    test('members get a calendar entry that a change updates and a cancellation removes', async () => {
      const night = await plan({ times: ['2098-11-28T20:00'] })
      const params = { nightId: night.id }
      const body = { ...PLAN, times: ['2098-11-29T20:00'] }
      await callOk(theApp(), ENDPOINTS.changeNight, ben, { params, body })
      await callOk(theApp(), ENDPOINTS.cancelNight, ana, { params })
      await callOk(theApp(), ENDPOINTS.cancelNight, ana, { params })

      const uid = `${night.id}@marquee.test`
      const expected = [
        {
          subject: 'Movie night: "Friday films"',
          summary: 'Movie night: Friday films',
          method: 'PUBLISH',
          event: [uid, '0', 'CONFIRMED', '2098-11-28T19:00:00Z'],
        },
        {
          subject: 'Movie night changed: "Friday films"',
          summary: 'Movie night: Friday films',
          method: 'PUBLISH',
          event: [uid, '1', 'CONFIRMED', '2098-11-29T19:00:00Z'],
        },
        {
          subject: 'Movie night cancelled: "Friday films"',
          summary: 'Movie night: Friday films',
          method: 'CANCEL',
          event: [uid, '2', 'CANCELLED', '2098-11-29T19:00:00Z'],
        },
      ]
      expect(await mailsTo(ana, 3)).toEqual(expect.arrayContaining(expected))
      expect(await mailsTo(ben, 3)).toEqual(expect.arrayContaining(expected))
    })

    test('members get mails and calendar entries in the language that each has chosen', async () => {
      await callOk(theApp(), ENDPOINTS.chooseLanguage, ben, { body: { language: 'de' } })
      await plan({ times: ['2098-11-28T20:00'] })

      const [anas] = await mailsTo(ana, 1)
      const [bens] = await mailsTo(ben, 1)
      expect([anas?.subject, anas?.summary]).toEqual(['Movie night: "Friday films"', 'Movie night: Friday films'])
      expect([bens?.subject, bens?.summary]).toEqual(['Filmabend: „Friday films“', 'Filmabend: Friday films'])
    })

    test('a member who turns off mails just before the night is saved gets none', async () => {
      let planned: Promise<Night> | undefined

      await theDatabase().transaction(async (trx) => {
        await lockWatchlist(trx, watchlist.id)
        planned = plan({ times: ['2098-11-28T20:00'] })
        while (!(await isPlanWaiting(trx))) await pause(20)
        await saveChanges(trx, ben.userId, { groups: { nights: { mail: 'off' } } })
      })
      await planned

      expect((await mailsTo(ana, 1)).map(({ subject }) => subject)).toEqual(['Movie night: "Friday films"'])
      expect(await mailsTo(ben, 0)).toEqual([])
    })

    test('a member who joins before the night is saved gets the mail with the calendar entry', async () => {
      const cleo = aUser('cleo')
      let planned: Promise<Night> | undefined

      await theDatabase().transaction(async (trx) => {
        await lockWatchlist(trx, watchlist.id)
        planned = plan({ times: ['2098-11-28T20:00'] })
        while (!(await isPlanWaiting(trx))) await pause(20)
        const joined_at = clock.now().toISOString()
        await insertMember(trx, {
          watchlist_id: watchlist.id,
          user_id: cleo.userId,
          username: cleo.username,
          joined_at,
        })
      })
      const night = await planned

      const [{ subject, method, event } = {}] = await mailsTo(cleo, 1)
      expect([subject, method]).toEqual(['Movie night: "Friday films"', 'PUBLISH'])
      expect(event).toEqual([`${night?.id}@marquee.test`, '0', 'CONFIRMED', '2098-11-28T19:00:00Z'])
      expect((await mailsTo(ben, 1)).map((mail) => mail.method)).toEqual(['PUBLISH'])
      expect(await list()).toHaveLength(1)
    })

    /** Whether the plan waits for another transaction. */
    async function isPlanWaiting(trx: AnyDb): Promise<boolean> {
      if (theDatabase().dialect === 'sqlite') return theDatabase().load().waiting > 0
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(withTables<unknown>(trx))
      return rows.length > 0
    }

    test('members have a calendar entry only while the time is fixed', async () => {
      const night = await plan()
      const params = { nightId: night.id }
      await callOk(theApp(), ENDPOINTS.fixNightTime, ana, { params, body: { startsAt: SATURDAY } })
      await callOk(theApp(), ENDPOINTS.fixNightTime, ben, { params, body: { startsAt: SATURDAY } })
      await callOk(theApp(), ENDPOINTS.changeNight, ana, { params, body: PLAN })

      const methods = (await mailsTo(ben, 3)).map(({ method, event: [, sequence] }) => [method, sequence])
      expect(methods).toEqual(
        expect.arrayContaining([
          [undefined, undefined],
          ['PUBLISH', '1'],
          ['CANCEL', '2'],
        ]),
      )
    })
  })

  describe('a calendar address', () => {
    const make = async (by = ben) => (await callOk(theApp(), ENDPOINTS.makeCalendar, by, { params: inThis() })).url
    const read = async (url: string) => {
      const { statusCode, headers, body } = await theApp().app.inject(new URL(url).pathname)
      return { status: statusCode, type: headers['content-type'], body }
    }
    const datesIn = (text: string) =>
      new ICAL.Component(ICAL.parse(text) as unknown[])
        .getAllSubcomponents('vevent')
        .map((event) => event.getFirstPropertyValue('dtstart')?.toString())

    test('a calendar address shows the nights whose time is fixed, without a sign-in', async () => {
      await plan()
      await plan({ times: ['2098-11-29T20:00'] })
      await step('cancelNight', await plan({ times: ['2098-11-30T20:00'] }))

      const { status, type, body } = await read(await make())

      expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8'])
      expect(datesIn(body)).toEqual(['2098-11-29T19:00:00Z'])
      expect(body).not.toContain('METHOD')
    })

    test('a calendar address shows the nights in the language that its owner has chosen', async () => {
      await callOk(theApp(), ENDPOINTS.chooseLanguage, ben, { body: { language: 'fr' } })
      await plan({ times: ['2098-11-28T20:00'] })

      expect((await read(await make())).body).toContain('SUMMARY:Soirée ciné\u00A0: Friday films\r\n')
      expect((await read(await make(ana))).body).toContain('SUMMARY:Movie night: Friday films\r\n')
    })

    test('a calendar address shows an ended night for 30 days', async () => {
      const soon = new Date(clock.now().getTime() + HOUR_MS).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
      const night = await plan({ times: [soon], timeZone: 'UTC' })
      await step('startNight', night)
      await step('endNight', night)
      const url = await make()

      expect(datesIn((await read(url)).body)).toHaveLength(1)
      clock.moveAhead(31 * 24 * HOUR_MS)
      expect(datesIn((await read(url)).body)).toEqual([])
    })

    test('a calendar address stops working when it is replaced or stopped, or its member is removed', async () => {
      const first = await make()
      const second = await make()
      expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])

      await callOk(theApp(), ENDPOINTS.endCalendar, ben, { params: inThis() })
      expect((await read(second)).status).toBe(404)

      const third = await make()
      await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { ...inThis(), username: 'ben' } })
      expect((await read(third)).status).toBe(404)
    })

    test('each member has a calendar address of their own', { tags: ['race'] }, async () => {
      const anas = await make(ana)
      const bens = await make()
      await callOk(theApp(), ENDPOINTS.endCalendar, ben, { params: inThis() })

      const [since, gone] = await Promise.all(
        [ana, ben].map(async (by) => (await callOk(theApp(), ENDPOINTS.findCalendar, by, { params: inThis() })).since),
      )

      expect([typeof since, gone]).toEqual(['string', null])
      expect([(await read(anas)).status, (await read(bens)).status]).toEqual([200, 404])
    })

    test('the secret of a calendar address is not stored in the database', async () => {
      const secret = (await make()).slice(-43)

      const rows = await theDatabase().withTables<NightFeedTables>().read.selectFrom('night_feed').selectAll().execute()

      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(secret)
    })
  })

  test('each change of a night sends a live event', async () => {
    await answer(await plan(), ben, FRIDAY, 'in')
    await open()

    expect(bus.kindsFor(watchlist.id)).toEqual(['nights-changed', 'nights-changed', 'nights-changed'])
  })

  test('a night id with the id of another watchlist gets 404', async () => {
    const { id } = await plan()
    const { watchlist: other, owner } = await aWatchlist(theApp())
    const nightId = id.replace(watchlist.id, other.id)

    expect((await call(theApp(), ENDPOINTS.getNight, owner, { params: { nightId } })).status).toBe(404)
  })
})
