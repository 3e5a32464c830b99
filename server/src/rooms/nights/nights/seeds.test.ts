import { createHash } from 'node:crypto'

import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import type { DrawTables } from '../../draws/store.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { anApp } from '../../../testing/start-app.ts'

const HOUR_MS = 60 * 60_000
const seedOf = (n: number) => n.toString(16).padStart(2, '0').repeat(32)
const OWN = 'ff'.repeat(32)
const hashOf = (seed: string) => createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')

eachStatement({ product: productMigrations }, (theDatabase) => {
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
  const trySendHash = async (by: Caller, seed: string, drawNumber?: number) =>
    await call(theApp(), ENDPOINTS.addSeedHash, by, { params: { nightId }, body: { hash: hashOf(seed), drawNumber } })
  const sendHash = async (by: Caller, seed: string, drawNumber?: number) =>
    expect(await trySendHash(by, seed, drawNumber)).toMatchObject({ status: 204 })
  const tryClose = async (drawNumber: number, seeds = [OWN], by = ana) =>
    await call(theApp(), ENDPOINTS.closeSeedHashes, by, {
      params: { ...inThis(), drawNumber: String(drawNumber) },
      body: { hashes: seeds.map(hashOf) },
    })
  const close = async (drawNumber: number) => {
    const { status, body } = await tryClose(drawNumber)
    expect(status).toBe(200)
    return (body as { hashes: string[] }).hashes
  }
  const tryOpen = async (by: Caller, seed: string, drawNumber?: number) =>
    await call(theApp(), ENDPOINTS.addSeed, by, { params: { nightId }, body: { seed, drawNumber } })
  const open = async (by: Caller, seed: string, drawNumber?: number) =>
    expect(await tryOpen(by, seed, drawNumber)).toMatchObject({ status: 204 })
  const tryReveal = async (drawNumber: number, seeds = [OWN]) =>
    await call(theApp(), ENDPOINTS.revealDraw, ana, {
      params: { ...inThis(), drawNumber: String(drawNumber) },
      body: { seeds },
    })
  const receiptOf = async (drawNumber: number) =>
    await callOk(theApp(), ENDPOINTS.getDraw, ana, { params: { ...inThis(), drawNumber: String(drawNumber) } })
  const seedsOf = async (drawNumber: number) => (await receiptOf(drawNumber)).seeds
  const hashesAsSeen = async (by: Caller, drawNumber: number) =>
    (await callOk(theApp(), ENDPOINTS.findSeedHashes, by, { params: { nightId, drawNumber: String(drawNumber) } }))
      .hashes
  const countStored = async () => {
    const { count } = await theDatabase()
      .withTables<Pick<DrawTables, 'draw_seed_hash'>>()
      .read.selectFrom('draw_seed_hash')
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .where('watchlist_id', '=', watchlist.id)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  test('the receipt has the hashes and seeds of all devices that sent and opened them', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, seedOf(2), drawNumber)
    await sendHash(ana, seedOf(1), drawNumber)
    // Sent again after a lost connection.
    await sendHash(ana, seedOf(1), drawNumber)
    expect(await receiptOf(drawNumber)).toMatchObject({ nightId, hashes: null, seeds: [], status: 'prepared' })
    expect(await hashesAsSeen(ben, drawNumber)).toBeNull()

    const hashes = await close(drawNumber)
    expect(hashes).toEqual([seedOf(1), seedOf(2), OWN].map(hashOf).toSorted())
    expect(await close(drawNumber)).toEqual(hashes)
    expect(await hashesAsSeen(ben, drawNumber)).toEqual(hashes)
    expect(await receiptOf(drawNumber)).toMatchObject({ hashes, seeds: [], status: 'prepared' })
    await open(ben, seedOf(2), drawNumber)
    await open(ana, seedOf(1))
    await open(ana, seedOf(1))
    expect((await tryReveal(drawNumber)).status).toBe(200)

    expect(await receiptOf(drawNumber)).toMatchObject({ nightId, hashes, seeds: [seedOf(1), seedOf(2), OWN] })
    const { draws } = await callOk(theApp(), ENDPOINTS.listDraws, ben, { params: inThis() })
    expect(draws).toMatchObject([{ drawNumber, nightId, seedCount: 3, absent: [] }])
    expect(await countStored()).toBe(0)
    const asked = bus.eventsFor(watchlist.id).filter((event) => event.drawNumber !== undefined)
    expect(asked.map((event) => [event.drawNumber, event.seeds])).toEqual([
      [drawNumber, 'hash'],
      [drawNumber, 'open'],
    ])
  })

  test('no seed is accepted before the hashes are closed, and no hash afterwards', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, seedOf(2), drawNumber)
    expect(await tryOpen(ben, seedOf(2), drawNumber)).toMatchObject({
      status: 409,
      body: { message: 'This draw takes the hashes of seeds first' },
    })
    await close(drawNumber)

    const late = { status: 409, body: { message: 'The hashes of this draw are closed' } }
    expect(await trySendHash(ben, seedOf(3), drawNumber)).toMatchObject(late)
    expect(await tryClose(drawNumber, [seedOf(3)])).toMatchObject(late)
    const unknown = 'No hash of this seed was sent in time'
    expect(await tryOpen(ben, seedOf(3), drawNumber)).toMatchObject({ status: 409, body: { message: unknown } })
    await open(ben, seedOf(2))
    expect(await tryReveal(drawNumber, [OWN, seedOf(3)])).toMatchObject({
      status: 400,
      body: { message: unknown },
    })
  })

  test('a device that does not open its seed is named, and the draw is prepared again without it', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, seedOf(2), drawNumber)
    await close(drawNumber)

    expect(await tryReveal(drawNumber)).toMatchObject({ status: 409, body: { missing: 1 } })
    clock.moveAhead(2_001)
    const { status, body } = await tryReveal(drawNumber)

    const again = drawNumber + 1
    expect([status, body]).toMatchObject([
      409,
      { message: 'A device did not open its seed, so the draw was prepared again', drawNumber: again, eligible: 5 },
    ])
    const absent = [{ name: 'ben', hash: hashOf(seedOf(2)) }]
    expect(await receiptOf(drawNumber)).toMatchObject({ status: 'replaced', absent, table: null, picked: [] })
    const { draws } = await callOk(theApp(), ENDPOINTS.listDraws, ben, { params: inThis() })
    expect(draws).toMatchObject([
      { drawNumber: again, status: 'prepared', absent: [] },
      { drawNumber, status: 'replaced', absent },
    ])
    expect(await trySendHash(ben, seedOf(3), again)).toMatchObject({ status: 400 })
    await callOk(theApp(), ENDPOINTS.arriveAtNight, cleo, { params: { nightId } })
    await sendHash(cleo, seedOf(4), again)
    await close(again)
    await open(cleo, seedOf(4), again)
    expect((await tryReveal(again)).status).toBe(200)
    expect(await receiptOf(again)).toMatchObject({ absent: [], seeds: [seedOf(4), OWN] })
    // The next draw takes all devices again.
    await sendHash(ben, seedOf(5), await prepare())
  })

  test('a member whose device did not open its seed cannot close the hashes of the next draw', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, seedOf(2), drawNumber)
    await close(drawNumber)
    clock.moveAhead(2_001)
    await tryReveal(drawNumber)

    const again = drawNumber + 1
    expect(await tryClose(again, [seedOf(3)], ben)).toMatchObject({
      status: 400,
      body: { message: 'Your device did not open its seed, so it takes no part in this draw' },
    })
    expect(await close(again)).toEqual([hashOf(OWN)])
    expect((await tryReveal(again)).status).toBe(200)
  })

  test('the member who draws is named as absent if they leave out a seed of their own', async () => {
    const drawNumber = await prepare()
    await tryClose(drawNumber, [OWN, seedOf(1)])
    expect((await tryReveal(drawNumber)).status).toBe(409)
    clock.moveAhead(2_001)
    await tryReveal(drawNumber)

    expect((await receiptOf(drawNumber)).absent).toEqual([{ name: 'ana', hash: hashOf(seedOf(1)) }])
  })

  test('a reveal without closed hashes makes a receipt that has only the seed of the member who draws', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, seedOf(2), drawNumber)
    expect((await tryReveal(drawNumber)).status).toBe(200)

    expect(await receiptOf(drawNumber)).toMatchObject({ status: 'revealed', hashes: null, seeds: [OWN] })
  })

  test('a shortlist uses the seeds of all devices', async () => {
    const drawNumber = await prepare(3)
    await sendHash(ben, seedOf(2))
    await close(drawNumber)
    await open(ben, seedOf(2))
    await callOk(theApp(), ENDPOINTS.openVote, ana, { params: { nightId }, body: { drawNumber, seeds: [OWN] } })

    expect(await seedsOf(drawNumber)).toEqual([seedOf(2), OWN])
  })

  test('a hash for an earlier draw is not used for a later one', async () => {
    const earlier = await prepare()
    await sendHash(ben, seedOf(2), earlier)
    const later = await prepare()
    await close(later)
    await tryReveal(later)

    expect(await seedsOf(later)).toEqual([OWN])
    expect(await trySendHash(ben, seedOf(3), later)).toMatchObject({ status: 409 })
  })

  test('a hash sent while the list closes is either in the list or rejected', { tags: ['race'] }, async () => {
    const drawNumber = await prepare()

    const [sent, closed] = await Promise.all([trySendHash(ben, seedOf(2), drawNumber), tryClose(drawNumber)])

    expect(closed.status).toBe(200)
    expect([
      [204, [OWN, seedOf(2)].map(hashOf).toSorted()],
      [409, [hashOf(OWN)]],
    ]).toContainEqual([sent.status, await hashesAsSeen(ben, drawNumber)])
  })

  test('a draw that is prepared again asks for new hashes', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, seedOf(2), drawNumber)
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: inThis() })
    await close(drawNumber)
    await open(ben, seedOf(2))

    expect((await tryReveal(drawNumber)).status).toBe(409)

    // The number between the two is that of the card that was revealed at once.
    const again = drawNumber + 2
    expect(await trySendHash(ben, seedOf(2), drawNumber)).toMatchObject({ status: 409 })
    expect((await receiptOf(drawNumber)).absent).toEqual([])
    await sendHash(ben, seedOf(3), again)
  })

  test('a hash is rejected if the night has no prepared draw', async () => {
    const outside = (await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params: inThis(), body: {} })).drawNumber
    expect(await trySendHash(ben, seedOf(2))).toMatchObject({ status: 409 })
    expect(await trySendHash(ben, seedOf(2), outside)).toMatchObject({ status: 409 })

    const drawNumber = await prepare()
    clock.moveAhead(HOUR_MS + 1)
    expect(await trySendHash(ben, seedOf(2), drawNumber)).toMatchObject({ status: 409 })
    expect(await tryClose(drawNumber)).toMatchObject({ status: 409, body: { message: 'This draw is over' } })
  })

  test('only members who are there can send hashes and seeds, and only to an open night', async () => {
    await close(await prepare())
    await prepare()
    const message = 'Say that you are here first'
    expect(await trySendHash(cleo, seedOf(3))).toMatchObject({ status: 400, body: { message } })
    expect(await tryOpen(cleo, seedOf(3))).toMatchObject({ status: 400, body: { message } })
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })
    expect(await trySendHash(ben, seedOf(2))).toMatchObject({ status: 400, body: { message: 'This night has ended' } })
  })

  test('a guest can send a hash and a seed until a member removes them', async () => {
    const { joinCode } = await callOk(theApp(), ENDPOINTS.makeNightCode, ana, { params: { nightId } })
    const joined = await call(theApp(), ENDPOINTS.joinNight, undefined, { body: { code: joinCode, nickname: 'Lea' } })
    const { token, guest } = joined.body as { token: string; guest: { guestId: string } }
    const headers = { authorization: `Bearer ${token}` }
    const drawNumber = await prepare()
    const inDraw = { nightId, drawNumber: String(drawNumber) }
    const sendAsGuest = async (seed: string) =>
      await call(theApp(), ENDPOINTS.addSeedHash, undefined, { params: inDraw, body: { hash: hashOf(seed) }, headers })
    expect(await sendAsGuest(seedOf(4))).toMatchObject({ status: 204 })
    const hashes = await close(drawNumber)
    const seen = await call(theApp(), ENDPOINTS.findSeedHashes, undefined, { params: inDraw, headers })
    expect(seen.body).toEqual({ hashes })
    const opened = await call(theApp(), ENDPOINTS.addSeed, undefined, {
      params: inDraw,
      body: { seed: seedOf(4) },
      headers,
    })
    expect(opened.status).toBe(204)
    await callOk(theApp(), ENDPOINTS.removeGuest, ana, { params: { nightId, guestId: guest.guestId } })
    expect(await sendAsGuest(seedOf(5))).toMatchObject({ status: 401 })
    await tryReveal(drawNumber)

    expect(await seedsOf(drawNumber)).toEqual([seedOf(4), OWN])
  })

  test('one person can send five hashes, which leaves places for the devices of others', async () => {
    const drawNumber = await prepare()
    for (const n of [1, 2, 3, 4, 5]) await sendHash(ben, seedOf(n))
    expect(await trySendHash(ben, seedOf(6))).toMatchObject({ status: 400 })
    await sendHash(ana, seedOf(7))

    expect(await close(drawNumber)).toEqual([...[1, 2, 3, 4, 5, 7].map(seedOf), OWN].map(hashOf).toSorted())
  })

  test('hashes of the member who draws fill the remaining places of the list', async () => {
    const drawNumber = await prepare()
    await sendHash(ben, OWN)
    const seeds = Array.from({ length: 200 }, (_, n) => seedOf(n))
    await tryClose(drawNumber, seeds)

    expect(await hashesAsSeen(ben, drawNumber)).toEqual([...seeds.slice(0, 199), OWN].map(hashOf).toSorted())
  })

  test('a draw can be prepared only for an open night of its own watchlist', async () => {
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

  const remove = async (by: Caller) =>
    await callOk(theApp(), ENDPOINTS.removeMember, by, { params: { ...inThis(), username: ben.username } })

  test.each([
    ['is removed', async () => await remove(ana)],
    ['leaves', async () => await remove(ben)],
    [
      'deletes their account',
      async () =>
        await theDatabase().transaction(async (trx) => {
          await removePersonAt(clock, systemRandom)(trx, ben.userId)
        }),
    ],
  ])('the hashes of a member who %s are deleted', async (_how, leave) => {
    await prepare()
    await sendHash(ben, seedOf(2))
    await sendHash(ana, seedOf(1))

    await leave()

    expect(await countStored()).toBe(1)
  })
})
