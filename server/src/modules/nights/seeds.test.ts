import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../migrations/index.ts'
import { removePersonAt } from '../../remove-person.ts'
import { call, type Caller, callOk } from '../../testing/call.ts'
import { aUser, aWatchlist } from '../../testing/make.ts'
import { movableClock } from '../../testing/movable-clock.ts'
import { recordingBus } from '../../testing/recording-bus.ts'
import { anApp } from '../../testing/start-app.ts'

const HOUR_MS = 60 * 60_000
const seedOf = (n: number) => n.toString(16).padStart(2, '0').repeat(32)
const OWN = 'ff'.repeat(32)

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock, bus })
  let ana: Caller
  let ben: Caller
  let cleo: Caller
  let watchlist: Watchlist
  let nightId: string

  beforeEach(async () => {
    ;[ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
    const box = ['Alien', 'Brazil', 'Clueless', 'Duel', 'Eraserhead']
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo], box }))
    nightId = (await callOk(theApp(), ENDPOINTS.openNight, ana, { params: inThis() })).id
    await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const tryPrepare = async (body: object) =>
    await call(theApp(), ENDPOINTS.prepareDraw, ana, { params: inThis(), body })
  const prepare = async (picks = 1) =>
    (await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params: inThis(), body: { nightId, picks } })).drawNumber
  const trySend = async (by: Caller, seed: string, drawNumber?: number) =>
    await call(theApp(), ENDPOINTS.addSeed, by, { params: { nightId }, body: { seed, drawNumber } })
  const send = async (by: Caller, seed: string, drawNumber?: number) =>
    expect(await trySend(by, seed, drawNumber)).toMatchObject({ status: 204 })
  const tryReveal = async (drawNumber: number) =>
    await call(theApp(), ENDPOINTS.revealDraw, ana, {
      params: { ...inThis(), drawNumber: String(drawNumber) },
      body: { seeds: [OWN] },
    })
  const receiptOf = async (drawNumber: number) =>
    await callOk(theApp(), ENDPOINTS.getDraw, ana, { params: { ...inThis(), drawNumber: String(drawNumber) } })
  const seedsOf = async (drawNumber: number) => (await receiptOf(drawNumber)).seeds
  const countStored = async () => {
    const { count } = await theDatabase()
      .withTables<{ draw_seed: { watchlist_id: string } }>()
      .read.selectFrom('draw_seed')
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .where('watchlist_id', '=', watchlist.id)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  test('a reveal uses the seeds of all devices, each once, and the log names the night', async () => {
    const drawNumber = await prepare()
    await send(ben, seedOf(2), drawNumber)
    await send(ana, seedOf(1), drawNumber)
    // Sent again after a lost connection, and by the device that reveals.
    await send(ana, seedOf(1), drawNumber)
    await send(ana, OWN)
    expect(await receiptOf(drawNumber)).toMatchObject({ nightId, seeds: [], status: 'prepared' })

    expect((await tryReveal(drawNumber)).status).toBe(200)

    expect(await receiptOf(drawNumber)).toMatchObject({ nightId, seeds: [seedOf(1), seedOf(2), OWN] })
    const { draws } = await callOk(theApp(), ENDPOINTS.listDraws, ben, { params: inThis() })
    expect(draws).toMatchObject([{ drawNumber, nightId, seedCount: 3 }])
    expect(await countStored()).toBe(0)
  })

  test('a shortlist uses the seeds of all devices', async () => {
    const drawNumber = await prepare(3)
    await send(ben, seedOf(2))
    await callOk(theApp(), ENDPOINTS.openVote, ana, { params: { nightId }, body: { drawNumber, seeds: [OWN] } })

    expect(await seedsOf(drawNumber)).toEqual([seedOf(2), OWN])
  })

  test('a seed for an earlier draw is not used for a later one', async () => {
    const earlier = await prepare()
    await send(ben, seedOf(2), earlier)
    const later = await prepare()
    await tryReveal(later)

    expect(await seedsOf(later)).toEqual([OWN])
    expect(await trySend(ben, seedOf(3), later)).toMatchObject({ status: 409 })
  })

  test('a seed at the moment of the reveal is in the receipt or rejected', async () => {
    const drawNumber = await prepare()

    const [sent, revealed] = await Promise.all([trySend(ben, seedOf(2), drawNumber), tryReveal(drawNumber)])

    expect(revealed.status).toBe(200)
    expect([
      [204, [seedOf(2), OWN]],
      [409, [OWN]],
    ]).toContainEqual([sent.status, await seedsOf(drawNumber)])
    expect(await countStored()).toBe(0)
  })

  test('a draw that is prepared again asks for new seeds', async () => {
    const drawNumber = await prepare()
    await send(ben, seedOf(2), drawNumber)
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: inThis() })

    expect((await tryReveal(drawNumber)).status).toBe(409)

    // The number between the two is that of the card that was revealed at once.
    const again = drawNumber + 2
    const asked = bus.eventsFor(watchlist.id).flatMap((event) => event.drawNumber ?? [])
    expect(asked).toEqual([drawNumber, again])
    expect(await trySend(ben, seedOf(2), drawNumber)).toMatchObject({ status: 409 })
    await tryReveal(again)
    expect(await receiptOf(again)).toMatchObject({ nightId, seeds: [OWN] })
  })

  test('a seed is rejected without a prepared draw of the night', async () => {
    const outside = (await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params: inThis(), body: {} })).drawNumber
    expect(await trySend(ben, seedOf(2))).toMatchObject({ status: 409 })
    expect(await trySend(ben, seedOf(2), outside)).toMatchObject({ status: 409 })

    const drawNumber = await prepare()
    clock.moveAhead(HOUR_MS + 1)
    expect(await trySend(ben, seedOf(2), drawNumber)).toMatchObject({ status: 409 })
  })

  test('only members who are here send seeds, to an open night', async () => {
    await prepare()
    expect(await trySend(cleo, seedOf(3))).toMatchObject({
      status: 400,
      body: { message: 'Say that you are here first' },
    })
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })
    expect(await trySend(ben, seedOf(2))).toMatchObject({ status: 400, body: { message: 'This night has ended' } })
  })

  test('a guest adds seeds until a member removes them', async () => {
    const { joinCode } = await callOk(theApp(), ENDPOINTS.makeNightCode, ana, { params: { nightId } })
    const joined = await call(theApp(), ENDPOINTS.joinNight, undefined, { body: { code: joinCode, nickname: 'Lea' } })
    const { token, guest } = joined.body as { token: string; guest: { guestId: string } }
    const sendAsGuest = async (seed: string) =>
      await call(theApp(), ENDPOINTS.addSeed, undefined, {
        params: { nightId },
        body: { seed },
        headers: { authorization: `Bearer ${token}` },
      })
    const drawNumber = await prepare()
    expect(await sendAsGuest(seedOf(4))).toMatchObject({ status: 204 })
    await callOk(theApp(), ENDPOINTS.removeGuest, ana, { params: { nightId, guestId: guest.guestId } })
    expect(await sendAsGuest(seedOf(5))).toMatchObject({ status: 401 })
    await tryReveal(drawNumber)

    expect(await seedsOf(drawNumber)).toEqual([seedOf(4), OWN])
  })

  test('one person cannot crowd out the devices of others', async () => {
    const drawNumber = await prepare()
    for (const n of [1, 2, 3, 4, 5]) await send(ben, seedOf(n))
    expect(await trySend(ben, seedOf(6))).toMatchObject({ status: 400 })
    await send(ana, seedOf(7))
    await tryReveal(drawNumber)

    expect(await seedsOf(drawNumber)).toEqual([...[1, 2, 3, 4, 5, 7].map(seedOf), OWN])
  })

  test('seeds of the member who reveals fill the places that are left', async () => {
    const drawNumber = await prepare()
    await send(ben, OWN)
    const seeds = Array.from({ length: 200 }, (_, n) => seedOf(n))
    await callOk(theApp(), ENDPOINTS.revealDraw, ana, {
      params: { ...inThis(), drawNumber: String(drawNumber) },
      body: { seeds },
    })

    expect(await seedsOf(drawNumber)).toEqual([...seeds.slice(0, 199), OWN])
  })

  test('a draw belongs only to an open night of its watchlist', async () => {
    const none = `${watchlist.id}_00000000-0000-4000-8000-000000000000`
    expect(await tryPrepare({ nightId: none })).toMatchObject({ status: 404 })
    const { watchlist: other } = await aWatchlist(theApp(), { owner: ana })
    const elsewhere = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: other.id } })
    expect(await tryPrepare({ nightId: elsewhere.id })).toMatchObject({ status: 404 })
    expect(await tryPrepare({ nightId: 'x' })).toMatchObject({ status: 400 })

    const drawNumber = await prepare(3)
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })
    expect(await tryPrepare({ nightId })).toMatchObject({ status: 400, body: { message: 'This night has ended' } })
    const next = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: inThis() })
    expect(
      await call(theApp(), ENDPOINTS.openVote, ana, {
        params: { nightId: next.id },
        body: { drawNumber, seeds: [OWN] },
      }),
    ).toMatchObject({ status: 400, body: { message: 'drawNumber: This draw belongs to another night' } })
  })

  test('the seeds of a member who is removed are deleted', async () => {
    await prepare()
    await send(ben, seedOf(2))
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, ben.userId)
    })

    expect(await countStored()).toBe(0)
  })
})
