import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { tracesOfEndedNights } from '../../../../migrations/0082-traces-of-ended-nights.ts'
import { productMigrations } from '../../../../migrations/index.ts'
import { removePersonAt } from '../../../../remove-person.ts'
import { call, type Caller, type CallInput, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { openStream } from '../../../../testing/open-stream.ts'
import { recordingBus } from '../../../../testing/recording-bus.ts'
import { aScene, BODIES, isCall, QUERIES } from '../../../../testing/scene.ts'
import { anApp, startApp } from '../../../../testing/start-app.ts'
import { testToken } from '../../../../testing/test-accounts.ts'
import { lockWatchlist } from '../../../club/watchlists/service.ts'
import type { PassTables } from '../night/pass-store.ts'
import { createPass } from '../night/passes.ts'
import { nightKeyOf } from '../night/present.ts'
import { findNight } from '../night/store.ts'
import { listBallots, saveBallot, type VoteTables } from '../vote/vote-store.ts'

const HOUR_MS = 60 * 60_000
const SEEDS = ['5e'.repeat(32)]
const UNAUTHORIZED = '{"type":"UNAUTHORIZED","message":"Unauthorized access"}'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock, bus })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist
  let nightId: string
  let code: string

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    const box = ['Alien', 'Brazil', 'Clueless', 'Duel']
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben], isPrivate: true, box }))
    ;({ id: nightId, joinCode: code } = await anOpenNight(ana, watchlist))
  })

  async function anOpenNight(by: Caller, { id: watchlistId }: Pick<Watchlist, 'id'>) {
    const { id } = await callOk(theApp(), ENDPOINTS.openNight, by, { params: { watchlistId } })
    const night = await callOk(theApp(), ENDPOINTS.makeNightCode, by, { params: { nightId: id } })
    return { id, joinCode: night.joinCode ?? '' }
  }
  const atNight = () => ({ nightId })
  const tryJoin = async (nickname: string, withCode = code) =>
    await call(theApp(), ENDPOINTS.joinNight, undefined, { body: { code: withCode, nickname } })
  const join = async (nickname: string) => {
    const { status, body } = await tryJoin(nickname)
    expect(status).toBe(201)
    return body
  }
  const asGuest = async <N extends EndpointName>(token: string, name: N, input: CallInput = {}) =>
    await call(theApp(), ENDPOINTS[name], undefined, {
      params: atNight(),
      ...input,
      headers: { authorization: `Bearer ${token}` },
    })
  const readNight = async () => await callOk(theApp(), ENDPOINTS.getNight, ana, { params: atNight() })
  const end = async () => await callOk(theApp(), ENDPOINTS.endNight, ana, { params: atNight() })
  const remove = async (guestId: string, by = ben) =>
    await call(theApp(), ENDPOINTS.removeGuest, by, { params: { ...atNight(), guestId } })

  /** Opens a vote of three cards. `ballot` vetoes the first of them, if asked. */
  async function aVote() {
    const inThis = { params: { watchlistId: watchlist.id } }
    const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { ...inThis, body: { picks: 3 } })
    const body = { drawNumber, seeds: SEEDS }
    const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ana, { params: atNight(), body })
    const ids = vote?.cards.map(({ cardId }) => cardId) ?? []
    const ballot = (withVeto = false) => ({
      drawNumber,
      scores: Object.fromEntries(ids.map((id, n) => [id, n === 1 ? 2 : 0])),
      veto: withVeto ? (ids[0] ?? '') : null,
    })
    return { drawNumber, ids, ballot }
  }

  describe('joining', () => {
    test('a guest sees when a planned night was started, not the planned time', async () => {
      await end()
      const params = { watchlistId: watchlist.id }
      const body = { times: ['2098-11-28T20:00'], timeZone: 'Europe/Berlin', place: null, note: null }
      ;({ id: nightId } = await callOk(theApp(), ENDPOINTS.planNight, ana, { params, body }))
      const { startedAt } = await callOk(theApp(), ENDPOINTS.startNight, ana, { params: atNight() })
      code = (await callOk(theApp(), ENDPOINTS.makeNightCode, ana, { params: atNight() })).joinCode ?? ''

      expect((await join('Lea')).night.startsAt).toBe(startedAt)
      expect(startedAt?.startsWith('2098')).toBe(false)
    })

    test('a guest joins with code and nickname, and members and guests see them', async () => {
      const { token, guest, night } = await join('Lea')

      expect(code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/u)
      expect(token).toMatch(/^mqn_/u)
      expect(guest.nickname).toBe('Lea')
      expect(night).toMatchObject({ id: nightId, watchlistName: watchlist.name, state: 'open', guests: [guest] })
      expect(night.present.map(({ username }) => username)).toEqual(['ana'])
      expect((await readNight()).guests).toEqual([guest])
      expect((await asGuest(token, 'getNightAsGuest')).body).toEqual(night)
    })

    test('a code is accepted in lower case and with spaces', async () => {
      expect((await tryJoin('Lea', ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)} `)).status).toBe(201)
    })

    test('making a code a second time returns the same code', async () => {
      const again = await callOk(theApp(), ENDPOINTS.makeNightCode, ben, { params: atNight() })

      expect(again.joinCode).toBe(code)
    })

    test('a night has no code until a member makes one', async () => {
      await end()
      const { id } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: watchlist.id } })

      const night = await callOk(theApp(), ENDPOINTS.getNight, ana, { params: { nightId: id } })
      expect(night.joinCode).toBeNull()
    })

    test.each(['lea', ' LEA ', 'ana'])('the name %j is refused if it is taken', async (nickname) => {
      await join('Lea')

      const answer = await tryJoin(nickname)

      expect(answer.status).toBe(400)
      expect(answer.body.message).toBe('nickname: Someone here has this name. Please choose another')
      expect((await readNight()).guests).toHaveLength(1)
    })

    test('only one of two guests who take the same name at once gets it', { tags: ['race'] }, async () => {
      const statuses = (await Promise.all([tryJoin('Lea'), tryJoin('lea')])).map(({ status }) => status)

      expect([statuses.includes(201), statuses.includes(400)]).toEqual([true, true])
    })

    test.each(['', '   ', 'x'.repeat(41)])('the invalid name %j is rejected', async (nickname) => {
      expect((await tryJoin(nickname)).status).toBe(400)
    })

    test('a wrong code, an ended night and a full night get the same answer', async () => {
      const wrong = await tryJoin('Lea', 'AAAAAA')
      for (let n = 0; n < 30; n += 1) await callOk(theApp(), ENDPOINTS.addGuest, ana, guestNamed(`Guest ${n}`))
      const full = await tryJoin('Lea')
      const fullForMember = await call(theApp(), ENDPOINTS.addGuest, ana, guestNamed('Lea'))
      await end()
      const ended = await tryJoin('Lea')

      expect(wrong.body).toEqual({ type: 'NOT_FOUND', message: 'This code is not valid' })
      expect([full.body, ended.body]).toEqual([wrong.body, wrong.body])
      expect([wrong.status, full.status, ended.status]).toEqual([404, 404, 404])
      expect(fullForMember.body.message).toBe('A movie night cannot have more than 30 guests')
    })

    test('no guest can join a night that ended by itself', async () => {
      clock.moveAhead(24 * HOUR_MS)

      expect((await tryJoin('Lea')).status).toBe(404)
    })

    test(
      'a guest who joins while the night ends is rejected, or joins and sees it as ended',
      { tags: ['race'] },
      async () => {
        const [joined] = await Promise.all([tryJoin('Lea'), end()])

        if (joined.status === 404) return
        expect(joined.status).toBe(201)
        expect((await asGuest(joined.body.token, 'getNightAsGuest')).body.state).toBe('ended')
      },
    )

    test('members get an event without a name when a guest joins', async () => {
      await join('Lea')

      expect(bus.eventsFor(watchlist.id).at(-1)).toEqual({ kind: 'nights-changed', watchlistId: watchlist.id })
    })
  })

  const guestNamed = (nickname: string) => ({ params: atNight(), body: { nickname } })

  describe('the code of a night', () => {
    test('a member can replace the code, and guests stay', async () => {
      const { token } = await join('Lea')

      const { joinCode } = await callOk(theApp(), ENDPOINTS.renewNightCode, ben, { params: atNight() })

      expect(joinCode).toMatch(/^[A-HJKMNP-Z2-9]{6}$/u)
      expect(joinCode).not.toBe(code)
      expect([(await tryJoin('Mia')).status, (await tryJoin('Mia', joinCode ?? '')).status]).toEqual([404, 201])
      expect((await asGuest(token, 'getNightAsGuest')).status).toBe(200)
    })

    test.each([
      ['is removed', () => ana],
      ['leaves', () => ben],
    ])('the code is replaced when a member %s', async (_how, by) => {
      await removeMember(by())

      const { joinCode } = await readNight()
      expect([(await tryJoin('Lea')).status, (await tryJoin('Lea', joinCode ?? '')).status]).toEqual([404, 201])
    })

    test('the code is replaced when the account of a member is deleted', async () => {
      await removePerson(ben)

      expect((await tryJoin('Lea')).status).toBe(404)
      expect((await readNight()).joinCode).toMatch(/^[A-Z2-9]{6}$/u)
    })

    test('removing a member creates no code if guests are not allowed', async () => {
      await end()
      await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: watchlist.id } })

      await removeMember(ana)

      const { nights } = await callOk(theApp(), ENDPOINTS.listNights, ana, { params: { watchlistId: watchlist.id } })
      expect(nights).toMatchObject([{ state: 'open', joinCode: null }])
    })
  })

  const removeMember = async (by: Caller, { username } = ben) =>
    await callOk(theApp(), ENDPOINTS.removeMember, by, { params: { watchlistId: watchlist.id, username } })
  const removePerson = async ({ userId }: Caller) => {
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, userId)
    })
  }

  describe('a former member', () => {
    const leavings: [string, (who: Caller) => Promise<unknown>][] = [
      ['who was removed', async (who) => await removeMember(ana, who)],
      ['who left', async (who) => await removeMember(who, who)],
      ['whose account was deleted', removePerson],
    ]

    test.each(leavings)('the guests and screens of a member %s are removed', async (_how, leave) => {
      const stay = await callOk(theApp(), ENDPOINTS.addGuest, ana, guestNamed('Oma'))
      const { token } = await callOk(theApp(), ENDPOINTS.addGuest, ben, guestNamed('Opa'))
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: atNight() })
      const screen = (await call(theApp(), ENDPOINTS.requestScreen, undefined)).body
      await callOk(theApp(), ENDPOINTS.pairScreen, ben, { params: atNight(), body: { code: screen.code } })
      const { body } = await call(theApp(), ENDPOINTS.findScreenPass, undefined, { body: screen })
      const onScreen = body.pass?.token ?? ''
      expect((await asGuest(onScreen, 'getNightScreen')).status).toBe(200)

      await leave(ben)

      expect((await asGuest(token, 'getNightAsGuest')).status).toBe(401)
      expect((await asGuest(onScreen, 'getNightScreen')).status).toBe(401)
      expect((await asGuest(stay.token, 'getNightAsGuest')).status).toBe(200)
      expect((await readNight()).guests.map(({ nickname }) => nickname)).toEqual(['Oma'])
    })

    test.each(leavings)('a member %s also loses access as the guest that they claimed', async (_how, leave) => {
      const eve = aUser('eve')
      const { token } = await join('Eve the guest')
      const claim = async () => (await call(theApp(), ENDPOINTS.claimNight, eve, { body: { token } })).status
      expect(await claim()).toBe(200)
      const { token: link } = await callOk(theApp(), ENDPOINTS.createJoinLink, ana, {
        params: { watchlistId: watchlist.id },
        body: { days: 1, maxUses: 1 },
      })
      await callOk(theApp(), ENDPOINTS.joinByLink, eve, { body: { token: link } })

      expect((await asGuest(token, 'getNightAsGuest')).status).toBe(200)

      await leave(eve)

      expect((await asGuest(token, 'getNightAsGuest')).status).toBe(401)
      expect(await claim()).toBe(404)
      expect((await readNight()).guests).toEqual([])
    })

    test('the removal of a member sends a live event about the night', async () => {
      await removeMember(ana)

      expect(bus.kindsFor(watchlist.id)).toContain('nights-changed')
    })
  })

  describe('guests from one address', () => {
    const app = anApp(theDatabase, { trustedProxy: ['127.0.0.1'] })
    const joinFrom = async (address: string, nickname: string, device?: string) =>
      await call(app(), ENDPOINTS.joinNight, undefined, {
        body: { code, nickname, ...(device !== undefined && { device }) },
        headers: { 'x-forwarded-for': address },
      })
    const deviceOf = (name: string) => `device-of-${name}`.padEnd(20, '-')
    const allow = async (allowsManyGuests: boolean) =>
      await callOk(theApp(), ENDPOINTS.setGuestLimit, ben, { params: atNight(), body: { allowsManyGuests } })
    const crowd = async (count: number, from = 0) => {
      const statuses = []
      for (let n = from; n < from + count; n += 1) {
        statuses.push((await joinFrom('192.0.2.1', `Guest ${n}`, deviceOf(`guest ${n}`.replace(' ', '-')))).status)
      }
      return statuses
    }

    test('at most eight guests can join from one address unless a member allows more', async () => {
      expect(await crowd(8)).toEqual(Array.from({ length: 8 }, () => 201))
      const refused = await joinFrom('192.0.2.1', 'Guest 8')
      const elsewhere = await joinFrom('192.0.2.2', 'Guest 9')
      const night = await allow(true)
      const allowed = await joinFrom('192.0.2.1', 'Guest 8')
      await allow(false)

      expect([refused.status, refused.body.message]).toEqual([
        400,
        'More than 8 guests share your internet connection. Ask a member to allow it',
      ])
      expect([elsewhere.status, allowed.status, night.allowsManyGuests]).toEqual([201, 201, true])
      expect((await joinFrom('192.0.2.1', 'Guest 10')).status).toBe(400)
    })

    test('a guest who leaves frees a place, and guests without a phone take none', async () => {
      await crowd(7)
      await callOk(theApp(), ENDPOINTS.addGuest, ana, guestNamed('Opa'))
      const { body } = await joinFrom('192.0.2.1', 'Lea')
      const params = { ...atNight(), guestId: body.guest.guestId }
      await asGuest(body.token, 'removeGuest', { params })

      expect((await joinFrom('192.0.2.1', 'Mia')).status).toBe(201)
    })

    test('only eight of 20 guests who join from one address at once get in', { tags: ['race'] }, async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => await joinFrom('192.0.2.1', `Guest ${n}`)),
      )

      expect(replies.filter(({ status }) => status === 201)).toHaveLength(8)
    })

    const kept = [deviceOf('lea'), deviceOf('mia')] as const
    const removedAndBack = async (device: string | undefined, address: string, next: string | undefined) => {
      const { body } = await joinFrom('192.0.2.1', 'Lea', device)
      await remove(body.guest.guestId)
      return await joinFrom(address, 'Lea again', next)
    }

    test.each([
      ['on the same device', kept[0], '192.0.2.1', kept[0]],
      ['on the same device at another address', kept[0], '192.0.2.9', kept[0]],
      ['on a device without a name at the same address', kept[0], '192.0.2.1', undefined],
      ['on a device that had no name', undefined, '192.0.2.1', kept[0]],
    ])('a removed guest cannot come back %s', async (_how, device, address, next) => {
      const { status, body } = await removedAndBack(device, address, next)

      expect([status, body.message]).toEqual([404, 'This code is not valid'])
    })

    test.each([
      ['another device at the same address', '192.0.2.1', kept[1]],
      ['a device without a name at another address', '192.0.2.9', undefined],
    ])('the removal of a guest does not keep out %s', async (_who, address, next) => {
      expect((await removedAndBack(kept[0], address, next)).status).toBe(201)
    })

    test('a guest who left can come back', async () => {
      const { body } = await joinFrom('192.0.2.1', 'Lea', kept[0])
      await asGuest(body.token, 'removeGuest', { params: { ...atNight(), guestId: body.guest.guestId } })

      expect((await joinFrom('192.0.2.1', 'Lea', kept[0])).status).toBe(201)
    })

    const HOME = '192.0.2.1'
    const leave = async ({ token, guest }: { token: string; guest: { guestId: string } }) => {
      const params = { ...atNight(), guestId: guest.guestId }
      expect((await asGuest(token, 'removeGuest', { params })).status).toBe(204)
    }
    const closeVote = async (drawNumber: number) =>
      await callOk(theApp(), ENDPOINTS.closeVote, ana, { params: atNight(), body: { drawNumber } })

    test.each([
      ['another nickname', [HOME, 'lea'], [HOME, 'lea']],
      ['another address', [HOME, 'lea'], ['192.0.2.9', 'lea']],
      ['a device without a name, at the same address', [HOME, 'lea'], [HOME, undefined]],
      ['a device that had no name, at the same address', [HOME, undefined], [HOME, 'lea']],
    ] as const)('a guest who leaves and comes back with %s gets no new veto', async (_how, before, after) => {
      const joinAs = async (nickname: string, [address, device]: readonly [string, string | undefined]) =>
        (await joinFrom(address, nickname, device === undefined ? undefined : deviceOf(device))).body
      const lea = await joinAs('Lea', before)
      const first = await aVote()
      await asGuest(lea.token, 'castBallot', { body: first.ballot(true) })
      await closeVote(first.drawNumber)
      await leave(lea)

      const { token } = await joinAs('Mia', after)

      expect((await asGuest(token, 'findVote')).body).toMatchObject({ vetoBudget: 1, vetoesLeft: 0 })
      const second = await aVote()
      const refused = await asGuest(token, 'castBallot', { body: second.ballot(true) })
      expect([refused.status, refused.body.message]).toEqual([400, 'You have no veto left tonight'])
    })

    test('a guest who vetoed a revealed card gets no new veto after leaving and coming back', async () => {
      const { body: lea } = await joinFrom(HOME, 'Lea', deviceOf('lea'))
      const reveal = async () =>
        (await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId: watchlist.id } })).id
      const first = await asGuest(lea.token, 'vetoCard', { body: { cardId: await reveal() } })
      expect(first.status).toBe(200)
      await leave(lea)

      const { body } = await joinFrom(HOME, 'Mia', deviceOf('lea'))
      const again = await asGuest(body.token, 'vetoCard', { body: { cardId: await reveal() } })

      expect([again.status, again.body]).toMatchObject([400, { message: 'You have no veto left tonight' }])
    })

    test('a guest does not lose their veto to a guest at the same address or to a ballot that did not count', async () => {
      const { body: lea } = await joinFrom(HOME, 'Lea', deviceOf('lea'))
      const { body: ida } = await joinFrom(HOME, 'Ida')
      const { body: mia } = await joinFrom(HOME, 'Mia', deviceOf('mia'))
      const left = async ({ token }: { token: string }) => (await asGuest(token, 'findVote')).body.vetoesLeft
      const { drawNumber, ballot } = await aVote()

      await asGuest(lea.token, 'castBallot', { body: ballot(true) })
      expect([await left(lea), await left(ida), await left(mia)]).toEqual([0, 1, 1])
      await asGuest(mia.token, 'castBallot', { body: ballot(true) })
      await leave(mia)
      await closeVote(drawNumber)

      expect(await left((await joinFrom(HOME, 'Mia', deviceOf('mia'))).body)).toBe(1)
    })

    test('only hashes of address and device are stored, and they are deleted when the night ends', async () => {
      await joinFrom('192.0.2.77', 'Lea', kept[0])
      const rows = async () =>
        await theDatabase()
          .withTables<PassTables>()
          .read.selectFrom('night_pass')
          .selectAll()
          .where('watchlist_id', '=', watchlist.id)
          .execute()
      const open = await rows()
      await end()

      expect(open.map((row) => [typeof row.device_hash, typeof row.address_hash])).toEqual([['string', 'string']])
      expect(JSON.stringify(open)).not.toMatch(/192\.0\.2\.77|device-of-lea/u)
      expect(await rows()).toMatchObject([{ device_hash: null, address_hash: null }])
    })
  })

  describe('a night that ended by itself', () => {
    const tables = () => theDatabase().withTables<PassTables & VoteTables>().read
    type Next = () => Promise<unknown>
    /** What happens after the end. It may be prepared before. */
    const ends: [string, () => Next | Promise<Next>][] = [
      [
        'another night opens',
        () => async () => await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: watchlist.id } }),
      ],
      [
        'a server starts',
        () => async () => {
          const { stop } = await startApp(theDatabase(), { clock })
          await stop()
        },
      ],
      [
        'a running server sweeps, as it does every hour',
        async () => {
          const timers = vi.spyOn(globalThis, 'setInterval')
          const { stop } = await startApp(theDatabase(), { clock })
          const sweeps = timers.mock.calls.filter(([, ms]) => ms === HOUR_MS).map(([sweep]) => sweep)
          timers.mockRestore()
          return async () => {
            for (const sweep of sweeps) sweep()
            await stop()
          }
        },
      ],
    ]

    test.each(ends)(
      'a night that ended by itself keeps no trace of the addresses of its guests once %s',
      async (_when, prepare) => {
        const next = await prepare()
        const { watchlistId, id } = nightKeyOf(nightId)
        const body = { code, nickname: 'Lea', device: 'device-of-lea-------' }
        expect((await call(theApp(), ENDPOINTS.joinNight, undefined, { body })).status).toBe(201)
        const codes = async () =>
          await tables().selectFrom('night_code').select('code').where('watchlist_id', '=', watchlistId).execute()
        const passes = async () =>
          await tables()
            .selectFrom('night_pass')
            .select(['device_hash', 'address_hash', 'expires_at'])
            .where('night_id', '=', id)
            .execute()
        const [before] = await passes()
        expect([typeof before?.device_hash, typeof before?.address_hash]).toEqual(['string', 'string'])
        clock.moveAhead(24 * HOUR_MS)

        await next()

        expect(await passes()).toEqual([{ device_hash: null, address_hash: null, expires_at: before?.expires_at }])
        expect(await codes()).toEqual([])
        expect(await readNight()).toMatchObject({ state: 'ended', joinCode: null })
      },
    )

    test.each(ends)(
      'a night that ended by itself keeps no ballot of a deleted account once %s',
      async (_when, prepare) => {
        const next = await prepare()
        const { id } = nightKeyOf(nightId)
        await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: atNight() })
        const { ballot } = await aVote()
        await callOk(theApp(), ENDPOINTS.castBallot, ben, { params: atNight(), body: ballot() })
        await removePerson(ben)
        const left = async () => {
          const voters = await tables()
            .selectFrom('night_ballot')
            .select('user_id')
            .where('night_id', '=', id)
            .execute()
          const gone = await tables()
            .selectFrom('night_absentee')
            .select('user_id')
            .where('night_id', '=', id)
            .execute()
          return [voters.length, gone.length]
        }
        expect(await left()).toEqual([1, 1])
        clock.moveAhead(24 * HOUR_MS)

        await next()

        expect(await left()).toEqual([0, 0])
      },
    )

    test('an upgrade removes traces of guests and deleted accounts from nights stored as ended', async () => {
      const { id } = nightKeyOf(nightId)
      const body = { code, nickname: 'Lea', device: 'device-of-lea-------' }
      expect((await call(theApp(), ENDPOINTS.joinNight, undefined, { body })).status).toBe(201)
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: atNight() })
      const { ballot } = await aVote()
      for (const member of [ana, ben])
        await callOk(theApp(), ENDPOINTS.castBallot, member, { params: atNight(), body: ballot() })
      await removePerson(ben)
      const upgrade = async () => {
        let place: string | undefined
        do {
          const from = place
          const filled = await theDatabase().transaction(async (trx) => await tracesOfEndedNights.backfill?.(trx, from))
          place = filled?.place
        } while (place !== undefined)
      }
      const left = async () => {
        const { read } = theDatabase()
        const count = async (table: string, what = sql`1`) => {
          const counted = sql<{
            count: number
          }>`select count(${what}) as count from ${sql.table(table)} where night_id = ${id}`
          return Number((await counted.execute(read)).rows[0]?.count)
        }
        const [address, device] = [sql.ref('address_hash'), sql.ref('device_hash')]
        const passes = [await count('night_pass', address), await count('night_pass', device)]
        return [...passes, await count('night_absentee'), await count('night_ballot')]
      }

      await upgrade()
      const open = await left()
      await sql`update night set state = 'ended', ended_at = current_until where id = ${id}`.execute(
        theDatabase().schema,
      )
      await upgrade()

      expect(open).toEqual([1, 1, 1, 2])
      expect(await left()).toEqual([0, 0, 0, 1])
    })

    test('a night that ended by itself keeps its open vote and its cards as they are', async () => {
      const { drawNumber, ids } = await aVote()
      clock.moveAhead(24 * HOUR_MS)
      const { stop } = await startApp(theDatabase(), { clock })
      await stop()

      const { vote } = await callOk(theApp(), ENDPOINTS.findVote, ana, { params: atNight() })

      expect(vote).toMatchObject({ drawNumber, closedAt: null })
      expect(vote?.cards.map(({ film }) => film?.status)).toEqual(ids.map(() => 'REVEALED'))
    })

    test('an open night keeps its guests and their address hashes when a server starts', async () => {
      await join('Lea')
      const { stop } = await startApp(theDatabase(), { clock })
      await stop()

      const { id } = nightKeyOf(nightId)
      const passes = await tables().selectFrom('night_pass').select('address_hash').where('night_id', '=', id).execute()
      expect((await readNight()).guests.map(({ nickname }) => nickname)).toEqual(['Lea'])
      expect(passes.map((row) => typeof row.address_hash)).toEqual(['string'])
    })
  })

  describe('the limits of codes', () => {
    const limited = anApp(theDatabase, { limiter: localRateLimiter(), trustedProxy: ['127.0.0.1'] })
    const tryFrom = async (address: string, withCode: string, nickname = 'Lea') =>
      await call(limited(), ENDPOINTS.joinNight, undefined, {
        body: { code: withCode, nickname },
        headers: { 'x-forwarded-for': address },
      })
    const wrongFrom = async (address: string, times: number) => {
      const statuses = new Set<number>()
      for (let n = 0; n < times; n += 1) statuses.add((await tryFrom(address, 'AAAAAA')).status)
      return [...statuses]
    }

    test('wrong codes from 40 addresses do not shut out a guest with the right code', async () => {
      for (let n = 1; n <= 40; n += 1) await wrongFrom(`198.51.${n}.1`, 60)

      expect((await tryFrom('203.0.113.7', code)).status).toBe(201)
      expect((await tryFrom('198.51.1.2', code, 'Mia')).status).toBe(201)
    })

    test('an address that sent 60 wrong codes gets 429', async () => {
      expect(await wrongFrom('192.0.2.9', 60)).toEqual([404])

      const refused = await tryFrom('192.0.2.9', 'AAAAAA')
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    })

    test.each([
      ['/24', (n: number) => `203.0.114.${n}`],
      ['/48', (n: number) => `2001:db8:7:${n}::1`],
    ])(
      'a %s network with 600 wrong codes has three more per address, and right codes still work',
      async (_size, address) => {
        for (let n = 1; n <= 12; n += 1) await wrongFrom(address(n), 50)

        expect((await tryFrom(address(99), code)).status).toBe(201)
        expect(await wrongFrom(address(77), 3)).toEqual([404])
        expect(await wrongFrom(address(77), 1)).toEqual([429])
        expect((await tryFrom(address(98), code, 'Mia')).status).toBe(201)
      },
    )

    test('right codes and taken names do not count as wrong codes', async () => {
      for (let n = 0; n < 20; n += 1) await tryFrom('192.0.2.30', code)

      expect(await wrongFrom('192.0.2.30', 40)).toEqual([404])
    })
  })

  describe('a guest', () => {
    test('the ballot of a guest is counted', async () => {
      const { token } = await join('Lea')
      const { ids, ballot, drawNumber } = await aVote()

      const cast = await asGuest(token, 'castBallot', { body: ballot() })
      const seen = await callOk(theApp(), ENDPOINTS.findVote, ana, { params: atNight() })

      expect(cast.body).toMatchObject({ vote: { present: 2, voted: 1, ballot: { veto: null } }, vetoBudget: 1 })
      expect(seen.vote).toMatchObject({ present: 2, voted: 1, ballot: null, closedAt: null })
      await callOk(theApp(), ENDPOINTS.castBallot, ana, { params: atNight(), body: ballot() })
      expect((await asGuest(token, 'findVote')).body.vote).toMatchObject({ drawNumber, winner: ids[1], voted: 2 })
    })

    test('a guest has one veto per night, and may repeat it in the same vote', async () => {
      const { token } = await join('Lea')
      const first = await aVote()
      await asGuest(token, 'castBallot', { body: first.ballot(true) })
      expect((await asGuest(token, 'castBallot', { body: first.ballot(true) })).body.vetoesLeft).toBe(0)
      await callOk(theApp(), ENDPOINTS.closeVote, ana, { params: atNight(), body: { drawNumber: first.drawNumber } })
      const second = await aVote()

      const refused = await asGuest(token, 'castBallot', { body: second.ballot(true) })

      expect(refused.status).toBe(400)
      expect(refused.body.message).toBe('You have no veto left tonight')
      expect((await asGuest(token, 'castBallot', { body: second.ballot() })).status).toBe(200)
    })

    test('a guest without a phone votes with the token that a member received', async () => {
      const { token, guest } = await callOk(theApp(), ENDPOINTS.addGuest, ben, guestNamed('Opa'))
      const { ballot } = await aVote()

      expect((await readNight()).guests).toEqual([guest])
      expect((await asGuest(token, 'castBallot', { body: ballot() })).status).toBe(200)
    })

    test('a guest sees pictures and facts of the shortlist, but nothing of cards that went back to the box', async () => {
      const { token } = await join('Lea')
      const { ids, ballot } = await aVote()
      const open = await asGuest(token, 'findVote')
      await asGuest(token, 'castBallot', { body: ballot() })
      await callOk(theApp(), ENDPOINTS.castBallot, ana, { params: atNight(), body: ballot() })

      const closed = await asGuest(token, 'findVote')

      expect(open.body.vote?.cards.map(({ title, film }) => [title !== null, film?.imageUrl])).toEqual(
        ids.map(() => [true, 'https://example.org/poster.jpg']),
      )
      expect(closed.body.vote?.cards.map(({ cardId, title, film }) => [cardId, title !== null, film !== null])).toEqual(
        ids.map((id) => [id, id === ids[1], id === ids[1]]),
      )
    })

    test(
      'a guest who votes while the vote is being closed is either counted or rejected',
      { tags: ['race'] },
      async () => {
        const { token } = await join('Lea')
        const { ballot, drawNumber } = await aVote()

        const [cast] = await Promise.all([
          asGuest(token, 'castBallot', { body: ballot() }),
          callOk(theApp(), ENDPOINTS.closeVote, ana, { params: atNight(), body: { drawNumber } }),
        ])
        const { vote } = await callOk(theApp(), ENDPOINTS.findVote, ana, { params: atNight() })

        expect(vote?.closedAt).not.toBeNull()
        expect([cast.status, vote?.voted]).toEqual(cast.status === 200 ? [200, 1] : [400, 0])
      },
    )

    test(
      'a guest who is removed while voting leaves a complete ballot or none, and stays on the roll',
      { tags: ['race'] },
      async () => {
        const { token, guest } = await join('Lea')
        const { ballot } = await aVote()
        await callOk(theApp(), ENDPOINTS.castBallot, ana, { params: atNight(), body: ballot() })

        const [cast, removal] = await Promise.all([
          asGuest(token, 'castBallot', { body: ballot() }),
          remove(guest.guestId),
        ])
        const { vote } = await callOk(theApp(), ENDPOINTS.findVote, ana, { params: atNight() })

        expect(removal.status).toBe(204)
        expect([200, 401]).toContain(cast.status)
        // The ballot came first and closed the vote, or the guest was gone.
        expect([vote?.present, vote?.voted, vote?.closedAt === null]).toEqual(
          cast.status === 200 ? [2, 2, false] : [2, 1, true],
        )
      },
    )

    test('a guest can leave, but cannot remove others', async () => {
      const [lea, mia] = [await join('Lea'), await join('Mia')]
      const removing = async (guestId: string) =>
        await asGuest(lea.token, 'removeGuest', { params: { ...atNight(), guestId } })

      expect((await removing(mia.guest.guestId)).status).toBe(403)
      expect((await removing(lea.guest.guestId)).status).toBe(204)
      expect((await readNight()).guests.map(({ nickname }) => nickname)).toEqual(['Mia'])
    })

    test('a guest gets live events without details until a member removes them', async () => {
      const { token, guest } = await join('Lea')
      const origin = await theApp().app.listen({ host: '127.0.0.1', port: 0 })
      const stream = await openStream(`${origin}/api/nights/${nightId}/events`, token)
      const foreign = await openStream(`${origin}/api/watchlists/${watchlist.id}/events`, token)

      await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: atNight() })
      const seen = [await stream.next(), await stream.next()]
      await remove(guest.guestId)
      await stream.ended

      // A heartbeat would end the stream, too.
      expect(stream.heartbeats()).toBe(0)
      const changed = { kind: 'nights-changed', watchlistId: watchlist.id }
      expect(seen).toEqual([changed, changed])
      await expect(stream.next()).rejects.toThrow('The stream ended')
      expect(foreign.status).toBe(401)
    })
  })

  describe('the calls that a pass opens', () => {
    /** All calls that check a token. The others are open to all. */
    const CALLS = (Object.keys(ENDPOINTS) as EndpointName[])
      .filter(isCall)
      .filter((name) => ENDPOINTS[name].auth !== 'none')

    async function aPass(kind: 'guest' | 'screen'): Promise<string> {
      if (kind === 'guest') return (await join('Lea')).token
      return await theDatabase().transaction(async (trx) => {
        const night = await findNight(trx, nightKeyOf(nightId))
        const pass = { kind, name: null, createdBy: 'ana', now: clock.now().toISOString() }
        const made = night && (await createPass(trx, { random: systemRandom }, night, pass))
        return made?.token ?? ''
      })
    }

    /** The calls that a token opens: with any answer but the one that an unknown token gets. */
    async function opened(token: string, night: string, scene: Awaited<ReturnType<typeof aScene>>) {
      const open: string[] = []
      for (const name of CALLS) {
        const params = { ...scene.params, ...(ENDPOINTS[name].path.includes(':nightId') && { nightId: night }) }
        const input = { params, body: BODIES[name]?.(scene.given), query: QUERIES[name] ?? {} }
        const { status, body } = await asGuest(token, name, input)
        if (status !== 401 || JSON.stringify(body) !== UNAUTHORIZED) open.push(name)
      }
      return open
    }

    // Evidence: asvs-8.2.1
    test.each([
      [
        'guest',
        [
          'addSeed',
          'addSeedHash',
          'castBallot',
          'findSeedHashes',
          'findVote',
          'getNightAsGuest',
          'listNightAvailability',
          'removeGuest',
          'vetoCard',
        ],
      ],
      ['screen', ['endScreen', 'findVote', 'getNightAsGuest', 'getNightScreen', 'listNightAvailability']],
    ] as const)('the pass of a %s opens only %j', async (kind, calls) => {
      const scene = await aScene(theApp(), 'owner')
      const token = await aPass(kind)
      const before = await scene.look()

      expect((await opened(token, nightId, scene)).toSorted()).toEqual(calls)
      expect(await scene.look()).toEqual(before)
    })

    test.each(['guest', 'screen'] as const)('the pass of a %s does not open another night', async (kind) => {
      const scene = await aScene(theApp(), 'owner')
      const other = await aWatchlist(theApp(), { owner: ana })
      const { id } = await anOpenNight(ana, other.watchlist)

      expect(await opened(await aPass(kind), id, scene)).toEqual([])
    })

    test('a guest can read for a day after the end of the night, but change nothing', async () => {
      const { token } = await join('Lea')
      const { ballot } = await aVote()
      await end()

      expect((await asGuest(token, 'castBallot', { body: ballot() })).status).toBe(400)
      clock.moveAhead(24 * HOUR_MS - 1_000)
      expect((await asGuest(token, 'getNightAsGuest')).body.state).toBe('ended')
      clock.moveAhead(2_000)
      expect(await opened(token, nightId, await aScene(theApp(), 'owner'))).toEqual([])
    })

    test('a removed guest has no rights', async () => {
      const { token, guest } = await join('Lea')
      await remove(guest.guestId)

      expect(await opened(token, nightId, await aScene(theApp(), 'owner'))).toEqual([])
    })

    test('a changed token has no rights, and no token is stored', async () => {
      const { token } = await join('Lea')
      const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`

      expect((await asGuest(changed, 'getNightAsGuest')).status).toBe(401)
      const rows = await theDatabase()
        .withTables<{ night_pass: Record<string, unknown> }>()
        .read.selectFrom('night_pass')
        .selectAll()
        .execute()
      expect(JSON.stringify(rows)).not.toContain(token.slice(-43))
    })
  })

  describe('a claim', () => {
    const tryClaim = async (by: Caller, token: string) =>
      await call(theApp(), ENDPOINTS.claimNight, by, { body: { token } })
    const listOwnVotes = async (by: Caller) =>
      (await callOk(theApp(), ENDPOINTS.findVote, by, { params: atNight() })).vote

    test('a claim moves the presence and the ballot of the guest to one member', async () => {
      const { token } = await join('Lea')
      const { ballot } = await aVote()
      await asGuest(token, 'castBallot', { body: ballot() })

      const claimed = await tryClaim(ben, token)
      const repeated = await tryClaim(ben, token)

      expect(claimed.body).toEqual({ nightId, watchlistId: watchlist.id, isMember: true })
      expect(repeated.body).toEqual(claimed.body)
      expect(await readNight()).toMatchObject({ guests: [], present: [{ username: 'ana' }, { username: 'ben' }] })
      expect(await listOwnVotes(ben)).toMatchObject({ present: 2, voted: 1, ballot: { veto: null } })
      expect((await tryClaim(ana, token)).status).toBe(404)
      expect((await asGuest(token, 'getNightAsGuest')).status).toBe(401)
    })

    test('a member who has already voted keeps their own ballot when they claim a guest', async () => {
      const { token } = await join('Lea')
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: atNight() })
      const { ballot } = await aVote()
      await asGuest(token, 'castBallot', { body: ballot(true) })
      for (const one of [ana, ben])
        await callOk(theApp(), ENDPOINTS.castBallot, one, { params: atNight(), body: ballot() })
      expect((await listOwnVotes(ben))?.voted).toBe(3)

      await tryClaim(ben, token)

      expect(await listOwnVotes(ben)).toMatchObject({ ballot: { veto: null } })
    })

    test('a claim by a member who is there already changes no number of an open vote, which stays open', async () => {
      const { token } = await join('Lea')
      await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: atNight() })
      const { drawNumber, ballot } = await aVote()
      for (const one of [ana, ben])
        await callOk(theApp(), ENDPOINTS.castBallot, one, { params: atNight(), body: ballot() })
      const open = { present: 3, voted: 2, closedAt: null }
      expect(await listOwnVotes(ana)).toMatchObject(open)

      expect((await tryClaim(ben, token)).status).toBe(200)

      expect(await listOwnVotes(ana)).toMatchObject(open)
      await callOk(theApp(), ENDPOINTS.closeVote, ana, { params: atNight(), body: { drawNumber } })
      expect((await listOwnVotes(ana))?.closedAt).not.toBeNull()
    })

    test('a non-member can claim a guest, is shown by name, and keeps voting as a guest', async () => {
      const lea = aUser('lea1999')
      const { token } = await join('Lea')
      const { ballot } = await aVote()

      const claimed = await tryClaim(lea, token)

      expect(claimed.body).toMatchObject({ isMember: false })
      expect((await readNight()).guests.map(({ nickname }) => nickname)).toEqual(['lea1999'])
      expect((await asGuest(token, 'castBallot', { body: ballot() })).status).toBe(200)
      expect((await tryClaim(ben, token)).status).toBe(404)
    })

    test.each(['arrives', 'starts a night'])(
      'a user who claims a guest, joins and %s is at the night once, with ballot and movies',
      async (how) => {
        const lea = aUser('lea1999')
        const { token } = await join('Lea')
        const inThis = { watchlistId: watchlist.id }
        const { id: cardId } = await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: inThis })
        const accept = { params: { ...inThis, cardId }, body: { status: 'WATCHED' as const } }
        await callOk(theApp(), ENDPOINTS.moveCard, ana, accept)
        const { ballot } = await aVote()
        await asGuest(token, 'castBallot', { body: ballot() })
        const listFilms = async () => (await callOk(theApp(), ENDPOINTS.listNightFilms, ana, { params: inThis })).films
        await tryClaim(lea, token)
        expect(await listFilms()).toMatchObject([{ cardId, watchedBy: ['ana', 'lea1999'] }])

        const link = await callOk(theApp(), ENDPOINTS.createJoinLink, ana, {
          params: inThis,
          body: { days: 1, maxUses: 1 },
        })
        await callOk(theApp(), ENDPOINTS.joinByLink, lea, { body: { token: link.token } })
        if (how === 'arrives') await callOk(theApp(), ENDPOINTS.arriveAtNight, lea, { params: atNight() })
        else await callOk(theApp(), ENDPOINTS.openNight, lea, { params: inThis })

        const present = [{ username: 'ana' }, { username: 'lea1999' }]
        expect(await readNight()).toMatchObject({ guests: [], present })
        expect(await listOwnVotes(lea)).toMatchObject({ present: 2, voted: 1, ballot: { veto: null } })
        expect(await listFilms()).toMatchObject([{ cardId, watchedBy: ['ana', 'lea1999'] }])
        const query = { cards: cardId }
        const seen = await callOk(theApp(), ENDPOINTS.listViewings, lea, { params: inThis, query })
        expect(seen.cards[0]?.seenBy.toSorted()).toEqual(['ana', 'lea1999'])
        await callOk(theApp(), ENDPOINTS.castBallot, ana, { params: atNight(), body: ballot() })
        expect((await listOwnVotes(ana))?.closedAt).not.toBeNull()
      },
    )

    test('deleting a user removes the guest that they claimed, and keeps the counts of an open vote', async () => {
      const lea = aUser('lea1999')
      const { token } = await join('Lea')
      const { ballot } = await aVote()
      await asGuest(token, 'castBallot', { body: ballot() })
      await tryClaim(lea, token)

      const told: string[] = []
      const remove = removePersonAt(clock, systemRandom, (facts) => told.push(...facts.map(({ name }) => name)))
      const publish = await theDatabase().transaction(async (trx) => remove(trx, lea.userId))
      publish()

      expect(told).toEqual(['guest.left'])
      expect((await readNight()).guests).toEqual([])
      expect(await listOwnVotes(ana)).toMatchObject({ present: 2, voted: 1 })
    })

    test('a ballot that a guest casts while the account that claimed them is deleted becomes anonymous', async () => {
      const lea = aUser('lea1999')
      const { token, guest } = await join('Lea')
      const { drawNumber, ballot } = await aVote()
      await tryClaim(lea, token)
      const { watchlistId, id } = nightKeyOf(nightId)
      let removed: Promise<void> | undefined

      await theDatabase().transaction(async (trx) => {
        await lockWatchlist(trx, watchlistId)
        const removal = { isOver: false }
        removed = theDatabase()
          .transaction(async (other) => {
            await removePersonAt(clock, systemRandom)(other, lea.userId)
          })
          .finally(() => (removal.isOver = true))
        while (!removal.isOver && !(await isAnyWaiting(trx))) await pause(20)
        await saveBallot(trx, {
          watchlist_id: watchlistId,
          night_id: id,
          draw_number: drawNumber,
          user_id: guest.guestId,
          scores: JSON.stringify(ballot().scores),
          veto: null,
          voted_at: clock.now().toISOString(),
        })
      })
      await removed

      const left = await listBallots(theDatabase().read, { watchlistId, id })
      expect(left.map((row) => row.user_id)).toEqual([expect.stringMatching(/^former-/u)])
    })

    /** Whether a transaction waits for another one. SQLite begins none before the last is over. */
    async function isAnyWaiting(trx: AnyDb): Promise<boolean> {
      if (theDatabase().dialect === 'sqlite') return true
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(withTables<unknown>(trx))
      return rows.length > 0
    }

    test('a non-member cannot repeat the claim of a guest whom a member has removed', async () => {
      const lea = aUser('lea')
      const { token, guest } = await join('Lea')
      await tryClaim(lea, token)
      await remove(guest.guestId)

      const repeated = await tryClaim(lea, token)

      expect(repeated.body).toEqual({ type: 'NOT_FOUND', message: 'This night can no longer be saved to an account' })
    })

    test.each(['a removed guest', 'an expired pass', 'an id token'])('a claim of %s is rejected', async (what) => {
      const { token, guest } = await join('Lea')
      if (what === 'a removed guest') await remove(guest.guestId)
      if (what === 'an expired pass') clock.moveAhead(48 * HOUR_MS)

      const answer = await tryClaim(ben, what === 'an id token' ? testToken(ana) : token)

      expect(answer.body).toEqual({ type: 'NOT_FOUND', message: 'This night can no longer be saved to an account' })
    })
  })
})
