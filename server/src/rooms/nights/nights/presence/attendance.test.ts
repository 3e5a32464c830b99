import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { removePersonAt } from '../../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { recordingBus } from '../../../../testing/recording-bus.ts'
import { anApp } from '../../../../testing/start-app.ts'

const HOUR_MS = 60 * 60_000

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { clock, bus })
  let ana: Caller
  let ben: Caller
  let cleo: Caller
  let watchlist: Watchlist
  let card: Card
  let nightId: string

  /** A night of ana and ben. Cleo is not there. */
  beforeEach(async () => {
    ;[ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] }))
    card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    ;({ id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: watchlist.id } }))
    await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
  })

  const params = () => ({ watchlistId: watchlist.id, cardId: card.id })
  const accept = async () =>
    await callOk(theApp(), ENDPOINTS.moveCard, cleo, { params: params(), body: { status: 'WATCHED' } })
  const acceptAt = async (night: string | null | undefined, headers = {}) => {
    const body = { status: 'WATCHED', nightId: night }
    return await callOk(theApp(), ENDPOINTS.moveCard, cleo, { params: params(), body, headers })
  }
  const films = async () => (await callOk(theApp(), ENDPOINTS.listNightFilms, cleo, { params: params() })).films
  const seenBy = async (who: Caller) => {
    const query = { cards: card.id }
    return (await callOk(theApp(), ENDPOINTS.listViewings, who, { params: params(), query })).cards[0]
  }

  test('a card accepted in an open night becomes its film and is marked as seen by those present', async () => {
    const before = bus.kindsFor(watchlist.id).length
    const { statusChangedAt: acceptedAt } = await accept()

    const night = { acceptedAt, watchedBy: ['ana', 'ben'] }
    const poster = { imageUrl: card.imageUrl }
    expect(await films()).toEqual([{ nightId, cardId: card.id, title: card.title, poster, ...night }])
    expect(await seenBy(cleo)).toMatchObject({ own: null, night })
    expect((await seenBy(ben))?.own).toMatchObject({ username: 'ben', stars: null })
    expect(bus.kindsFor(watchlist.id).slice(before)).toEqual(['card-changed', 'viewings-changed'])
  })

  test('a card accepted at one night does not become a movie of another', async () => {
    await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })
    const { id: next } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId: watchlist.id } })

    expect(await acceptAt(nightId)).toMatchObject({ status: 'WATCHED' })
    expect(await films()).toEqual([])
    expect(await seenBy(ana)).toMatchObject({ own: null, night: null })

    card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    await acceptAt(next)
    expect(await films()).toMatchObject([{ nightId: next, cardId: card.id, watchedBy: ['ana'] }])
  })

  test('a card accepted while no night was open is not a movie of a night that opened later', async () => {
    expect(await acceptAt(null)).toMatchObject({ status: 'WATCHED' })

    expect(await films()).toEqual([])
    expect(await seenBy(ana)).toMatchObject({ own: null, night: null })
  })

  test('an accept repeated with another night takes effect once, at the first night', async () => {
    const headers = { 'idempotency-key': 'the-same-press-again' }
    const first = await acceptAt(undefined, headers)

    expect(await acceptAt(null, headers)).toEqual(first)
    expect(await films()).toMatchObject([{ nightId, cardId: card.id }])
  })

  test('a member who leaves after the night has ended by itself still counts as present', async () => {
    clock.moveAhead(24 * HOUR_MS + 60_000)

    const member = { watchlistId: watchlist.id, username: ben.username }
    await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: member })

    const { nights } = await callOk(theApp(), ENDPOINTS.getStatistics, ana, { params: { watchlistId: watchlist.id } })
    expect(nights.attendance.map(({ username }) => username).toSorted()).toEqual(['ana', 'ben'])
  })

  test('guests at the night are listed among those who watched its movie', async () => {
    for (const nickname of ['Zoe', 'Yan']) {
      await callOk(theApp(), ENDPOINTS.addGuest, ana, { params: { nightId }, body: { nickname } })
    }
    const { guests } = await callOk(theApp(), ENDPOINTS.getNight, ana, { params: { nightId } })
    const yan = guests.find(({ nickname }) => nickname === 'Yan')
    await callOk(theApp(), ENDPOINTS.removeGuest, ana, { params: { nightId, guestId: yan?.guestId ?? '' } })

    await accept()

    expect((await films())[0]?.watchedBy).toEqual(['Zoe', 'ana', 'ben'])
    expect((await seenBy(cleo))?.seenBy.toSorted()).toEqual(['ana', 'ben'])
  })

  test('a member who claims a guest has watched the movies of that guest', async () => {
    const { joinCode } = await callOk(theApp(), ENDPOINTS.makeNightCode, ana, { params: { nightId } })
    const guest = { code: joinCode ?? '', nickname: 'Zoe' }
    const { body } = await call(theApp(), ENDPOINTS.joinNight, undefined, { body: guest })
    await accept()

    await callOk(theApp(), ENDPOINTS.claimNight, cleo, { body: { token: body.token } })

    expect((await films())[0]?.watchedBy).toEqual(['ana', 'ben', 'cleo'])
    expect(await seenBy(cleo)).toMatchObject({ own: { username: 'cleo', stars: null }, ratings: null })
  })

  test('a member at the night sees the ratings of others only after they rate or decline to', async () => {
    await accept()
    await callOk(theApp(), ENDPOINTS.saveViewing, ana, { params: params(), body: { stars: 4.5, note: 'In space' } })
    expect((await seenBy(ben))?.ratings).toBeNull()
    const rated = { params: { watchlistId: watchlist.id }, query: { averageRating: '1' } }
    expect((await callOk(theApp(), ENDPOINTS.listLibrary, ben, rated)).cards).toEqual([])
    const statistics = async () =>
      (await callOk(theApp(), ENDPOINTS.getStatistics, ben, { params: params() })).suggesters[0]?.rating
    expect(await statistics()).toBeNull()

    await callOk(theApp(), ENDPOINTS.saveViewing, ben, { params: params(), body: {} })

    expect((await seenBy(ben))?.ratings).toMatchObject({ average: 4.5, count: 1 })
    expect((await callOk(theApp(), ENDPOINTS.listLibrary, ben, rated)).cards).toHaveLength(1)
    expect(await statistics()).toEqual({ average: 4.5, count: 1 })
  })

  test('members who were there are asked to rate from the next day until they rate or decline', async () => {
    const unrated = async (who: Caller) =>
      (await callOk(theApp(), ENDPOINTS.listNights, who, { params: params() })).unrated
    await accept()
    clock.moveAhead(11 * HOUR_MS)
    expect(await unrated(ana)).toEqual([])

    clock.moveAhead(HOUR_MS)

    const asked = [{ cardId: card.id, title: card.title }]
    expect([await unrated(ana), await unrated(ben), await unrated(cleo)]).toEqual([asked, asked, []])
    await callOk(theApp(), ENDPOINTS.saveViewing, ana, { params: params(), body: { stars: 2.5 } })
    await callOk(theApp(), ENDPOINTS.saveViewing, ben, { params: params(), body: {} })
    expect([await unrated(ana), await unrated(ben)]).toEqual([[], []])
  })

  test('a member who removes their mark leaves the list of those who watched the movie', async () => {
    await accept()

    await callOk(theApp(), ENDPOINTS.deleteViewing, ben, { params: params() })

    expect(await seenBy(ben)).toMatchObject({ seenBy: ['ana'], own: null, night: { watchedBy: ['ana'] } })
  })

  test('undoing the acceptance removes the film and its marks, but no mark that a member made', async () => {
    await callOk(theApp(), ENDPOINTS.saveViewing, ana, { params: params(), body: { stars: 3 } })
    await accept()
    expect((await seenBy(ana))?.own?.stars).toBe(3)

    await callOk(theApp(), ENDPOINTS.undoMove, cleo, { params: params() })

    expect(await films()).toEqual([])
    expect(await seenBy(cleo)).toMatchObject({ seenBy: ['ana'], night: null })
    await accept()
    expect((await films())[0]?.watchedBy).toEqual(['ana', 'ben'])
  })

  test('the names of watchers stay when members leave the watchlist or delete their account', async () => {
    await accept()
    await callOk(theApp(), ENDPOINTS.removeMember, ben, { params: { ...params(), username: 'ben' } })
    await theDatabase().transaction(async (trx) => {
      await removePersonAt(clock, systemRandom)(trx, ben.userId)
    })

    expect((await films())[0]?.watchedBy).toEqual(['ana', 'ben'])
    expect((await seenBy(cleo))?.night?.watchedBy).toEqual(['ana', 'ben'])
  })

  test('members who left early and cards accepted after the end are not part of the night', async () => {
    await callOk(theApp(), ENDPOINTS.leaveNight, ana, { params: { nightId } })
    await accept()
    const late = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    clock.moveAhead(24 * HOUR_MS)
    await callOk(theApp(), ENDPOINTS.moveCard, ana, {
      params: { ...params(), cardId: late.id },
      body: { status: 'WATCHED' },
    })

    expect((await films()).map(({ cardId, watchedBy }) => [cardId, watchedBy])).toEqual([[card.id, ['ben']]])
  })
})
