import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aPng } from '../../../../testing/images.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { anApp } from '../../../../testing/start-app.ts'

const SEEDS = ['5e'.repeat(32)]

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist
  let nightId: string

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] }))
    await aCard(theApp(), { inside: watchlist, by: ana, title: 'Old news', status: 'REVEALED' })
    clock.moveAhead(1000)
    ;({ id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: inThis() }))
  })

  const inThis = () => ({ watchlistId: watchlist.id })
  const look = async () => await callOk(theApp(), ENDPOINTS.getNightScreen, ben, { params: { nightId } })
  const vote = async () => await callOk(theApp(), ENDPOINTS.findVote, ana, { params: { nightId } })
  const prepare = async (picks: number) =>
    (await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params: inThis(), body: { picks } })).drawNumber
  const moveTo = async (cardId: string, status: 'WATCHED' | 'REJECTED') =>
    await callOk(theApp(), ENDPOINTS.moveCard, ana, { params: { ...inThis(), cardId }, body: { status } })

  test('the screen shows who is here with their pictures, and nothing that was revealed before the night', async () => {
    await callOk(theApp(), ENDPOINTS.uploadAvatar, ben, { body: { imageData: await aPng() } })
    clock.moveAhead(1000)
    await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, { params: { nightId } })

    expect(await look()).toEqual({
      id: nightId,
      watchlistId: watchlist.id,
      watchlistName: watchlist.name,
      state: 'open',
      place: null,
      joinCode: null,
      present: [
        { name: ana.username, avatarUrl: null },
        { name: ben.username, avatarUrl: expect.stringMatching(/^\/images\//u) as string },
      ],
      isDrawing: false,
      movie: null,
      wasVetoed: false,
      vote: null,
    })
  })

  test('the screen shows a draw from its first step, then the movie until it is declined', async () => {
    await aCard(theApp(), { inside: watchlist, by: ana, title: 'Alien' })
    const drawNumber = await prepare(1)
    const before = await look()
    const draw = { params: { ...inThis(), drawNumber: String(drawNumber) }, body: { seeds: SEEDS } }
    const { cards } = await callOk(theApp(), ENDPOINTS.revealDraw, ana, draw)
    const after = await look()
    await moveTo(cards[0]?.id ?? '', 'REJECTED')

    expect([before.isDrawing, before.movie]).toEqual([true, null])
    expect([after.isDrawing, after.movie]).toMatchObject([false, { title: 'Alien', status: 'REVEALED' }])
    expect((await look()).movie).toBeNull()
  })

  test('draws and reveals by a member who is not there do not count for the night, but an acceptance does', async () => {
    await aCard(theApp(), { inside: watchlist, by: ana, title: 'Alien' })
    await callOk(theApp(), ENDPOINTS.prepareDraw, ben, { params: inThis(), body: { picks: 1 } })
    const drawing = await look()
    const { id: cardId } = await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: inThis() })
    const veto = { params: { nightId }, body: { cardId } }

    expect([drawing.isDrawing, (await look()).movie, (await vote()).revealed]).toEqual([false, null, []])
    expect((await call(theApp(), ENDPOINTS.vetoCard, ana, veto)).status).toBe(400)
    const { statusChangedAt: acceptedAt } = await moveTo(cardId, 'WATCHED')
    expect((await look()).movie).toMatchObject({ title: 'Alien', status: 'WATCHED', acceptedAt })
  })

  test('a revealed card stays in the night when its member leaves, and their later reveals stay out', async () => {
    for (const title of ['Alien', 'Brazil']) await aCard(theApp(), { inside: watchlist, by: ana, title })
    const { id: first } = await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: inThis() })
    clock.moveAhead(1000)
    await callOk(theApp(), ENDPOINTS.leaveNight, ana, { params: { nightId } })
    clock.moveAhead(1000)
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: inThis() })

    expect((await look()).movie?.id).toBe(first)
    clock.moveAhead(1000)
    await callOk(theApp(), ENDPOINTS.arriveAtNight, ana, { params: { nightId } })
    expect((await vote()).revealed.map(({ cardId }) => cardId)).toContain(first)
  })

  test('the screen stops showing an abandoned draw after ten seconds', async () => {
    await aCard(theApp(), { inside: watchlist, by: ana })
    await prepare(1)
    clock.moveAhead(10_000)

    expect((await look()).isDrawing).toBe(false)
  })

  test('the screen shows the movies and turnout of a vote, then only the winner', async () => {
    for (const title of ['Alien', 'Brazil', 'Clueless']) await aCard(theApp(), { inside: watchlist, by: ana, title })
    const atNight = { params: { nightId } }
    await callOk(theApp(), ENDPOINTS.arriveAtNight, ben, atNight)
    const drawNumber = await prepare(3)
    const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ana, { ...atNight, body: { drawNumber, seeds: SEEDS } })
    const [first, second, third] = vote?.cards ?? []
    const scores = { [first?.cardId ?? '']: 0, [second?.cardId ?? '']: 2, [third?.cardId ?? '']: 1 } as const
    const cast = async (by: Caller) =>
      await callOk(theApp(), ENDPOINTS.castBallot, by, { ...atNight, body: { drawNumber, scores, veto: null } })
    await cast(ana)
    const open = await look()
    await cast(ben)
    const closed = await look()

    expect(open.vote?.movies.map(({ title }) => title)).toEqual([first?.title, second?.title, third?.title])
    expect(open.vote).toMatchObject({ present: 2, voted: 1, closedAt: null, winner: null })
    expect(closed.vote).toMatchObject({ present: 2, voted: 2, winner: second?.cardId })
    expect(closed.vote?.movies.map(({ id }) => id)).toEqual([second?.cardId])
    expect(closed.movie).toMatchObject({ id: second?.cardId, status: 'REVEALED' })
    await moveTo(second?.cardId ?? '', 'WATCHED')
    expect((await look()).movie).toMatchObject({ title: second?.title, status: 'WATCHED' })
  })
})
