import { expect, onTestFinished, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { withTables } from '@marquee/platform/database/database'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { callOk } from '../../../testing/call.ts'
import { aMediaServer } from '../../../testing/media/a-media-server.ts'
import { aClubWith, ALIEN, MEDIA_SERVERS_HERE, RAN } from '../../../testing/media/linked-club.ts'
import { sentBy } from '../../../testing/media/reports.ts'
import { startApp } from '../../../testing/start-app.ts'
import type { MediaLinkTables } from './store.ts'

const HOUR_MS = 60 * 60_000
const WAIT = { timeout: 60_000, interval: 50 }

eachStatement({ product: productMigrations }, (theDatabase) => {
  const waiting = async ({ watchlistId }: { watchlistId: string }) =>
    (
      await withTables<MediaLinkTables>(theDatabase().read)
        .selectFrom('media_mark')
        .select('wanted')
        .where('watchlist_id', '=', watchlistId)
        .where('due_at', 'is not', null)
        .execute()
    ).map(({ wanted }) => wanted)
  const failures = async ({ watchlistId }: { watchlistId: string }) =>
    (
      await withTables<MediaLinkTables>(theDatabase().read)
        .selectFrom('media_link')
        .select('failures')
        .where('watchlist_id', '=', watchlistId)
        .execute()
    ).map((link) => link.failures)
  const untilDone = async (list: { watchlistId: string }) =>
    await vi.waitFor(async () => expect(await waiting(list)).toEqual([]), WAIT)

  test.each([
    ['jellyfin', '10.10.7'],
    ['jellyfin', '10.8.13'],
    ['emby', '4.8.11.0'],
    ['plex', '1.41.3.9314'],
  ] as const)('a seen mark is sent to %s %s once, and taken back there when it is removed', async (kind, version) => {
    const options = { films: { films: [ALIEN, RAN], version } }
    const { ben, standIn, linkHere, add, mark, unmark, untilMarked } = await aClubWith(theDatabase(), kind, options)
    await linkHere(ben)
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    const itemId = standIn.itemIdOf(ALIEN, 0)

    await mark(ben, alien)
    await untilMarked([{ itemId, isSeen: true }])
    await mark(ben, alien, { stars: 4 })
    await unmark(ben, alien)

    await untilMarked([
      { itemId, isSeen: true },
      { itemId, isSeen: false },
    ])
    expect(standIn.state.marked.map(({ userId }) => userId)).toEqual([
      standIn.state.users[0]?.id,
      standIn.state.users[0]?.id,
    ])
  })

  test('marks of films that the server lacks, and marks of members without a link, are not sent', async () => {
    const { ana, ben, standIn, list, linkHere, add, mark, unmark, untilMarked } = await aClubWith(
      theDatabase(),
      'jellyfin',
    )
    const [alien, vertigo] = [await add('Alien', { tmdb: ALIEN.tmdb }), await add('Vertigo', { tmdb: '426' })]
    await mark(ben, alien)
    await linkHere(ben)
    await mark(ana, alien)
    await mark(ben, vertigo)
    await untilDone(list)
    // Marquee has never told the server that Ben has seen it.
    await unmark(ben, alien)
    await mark(ben, alien)

    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: true }])
    await untilDone(list)
    expect(standIn.state.marked).toHaveLength(1)
  })

  test('a film that the server gets later is marked after the next reading, unless the mark was undone', async () => {
    const { started, clock, ben, standIn, params, list, linkHere, add, mark, unmark, untilMarked } = await aClubWith(
      theDatabase(),
      'jellyfin',
      { films: { films: [ALIEN] } },
    )
    await linkHere(ben)
    const [ran, vertigo] = [await add('Ran', { imdb: RAN.imdb }), await add('Vertigo', { tmdb: '426' })]
    await mark(ben, ran)
    await mark(ben, vertigo)
    await untilDone(list)
    await unmark(ben, vertigo)
    await untilDone(list)
    expect(standIn.state.marked).toEqual([])

    const films = [ALIEN, RAN, { title: 'Vertigo', year: 1958, tmdb: '426' }]
    standIn.state.library = { count: films.length, film: (n) => films[n] ?? ALIEN }
    clock.moveAhead(HOUR_MS)
    await callOk(started, ENDPOINTS.readMediaServer, ben, { params })

    await untilMarked([{ itemId: standIn.itemIdOf(RAN, 1), isSeen: true }])
    await untilDone(list)
  })

  test('marks survive an outage, and only the last change of each film is sent afterwards', async () => {
    const { ben, clock, standIn, started, list, linkHere, add, mark, unmark, untilMarked } = await aClubWith(
      theDatabase(),
      'emby',
    )
    await linkHere(ben)
    const [alien, ran] = [await add('Alien', { tmdb: ALIEN.tmdb }), await add('Ran', { imdb: RAN.imdb })]
    await mark(ben, alien)
    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: true }])
    standIn.fail('down')
    const before = standIn.asked.length
    await mark(ben, ran)
    await vi.waitFor(() => expect(standIn.asked.length).toBeGreaterThan(before), WAIT)
    await unmark(ben, alien)
    await mark(ben, alien)
    await unmark(ben, alien)
    expect(new Set(await waiting(list))).toEqual(new Set([0, 1]))

    // Days later, in another process.
    await started.app.close()
    clock.moveAhead(100 * HOUR_MS)
    standIn.fail(undefined)
    const again = await startApp(theDatabase(), { clock, mediaServers: MEDIA_SERVERS_HERE })
    onTestFinished(again.stop)

    await untilDone(list)
    const marks = standIn.state.marked.slice(1).map(({ itemId, isSeen }) => `${itemId} ${isSeen}`)
    expect(marks.toSorted()).toEqual([`${standIn.itemIdOf(ALIEN, 0)} false`, `${standIn.itemIdOf(RAN, 1)} true`])
  })

  test('a mark that failed while the clock was ahead is sent with new ones once the clock is right', async () => {
    const { started, clock, standIn, ben, list, linkHere, add, mark } = await aClubWith(theDatabase(), 'jellyfin')
    await linkHere(ben)
    const [alien, ran] = [await add('Alien', { tmdb: ALIEN.tmdb }), await add('Ran', { imdb: RAN.imdb })]
    clock.moveAhead(48 * HOUR_MS)
    standIn.fail('down')
    await mark(ben, alien)
    await vi.waitFor(async () => expect(await failures(list)).toEqual([1]), WAIT)

    await started.app.close()
    clock.moveAhead(-48 * HOUR_MS)
    standIn.fail(undefined)
    const again = await startApp(theDatabase(), { clock, mediaServers: MEDIA_SERVERS_HERE })
    onTestFinished(again.stop)
    await callOk(again, ENDPOINTS.saveViewing, ben, { params: { ...list, cardId: ran }, body: {} })

    await untilDone(list)
    expect(standIn.state.marked.map(({ isSeen }) => isSeen)).toEqual([true, true])
  })

  test('a mark that changes while the earlier one is being sent is sent afterwards', async () => {
    const { ben, standIn, linkHere, add, mark, unmark, untilMarked } = await aClubWith(theDatabase(), 'jellyfin')
    await linkHere(ben)
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    const itemId = standIn.itemIdOf(ALIEN, 0)
    const release = standIn.hold()
    const before = standIn.asked.length
    await mark(ben, alien)
    await vi.waitFor(() => expect(standIn.asked.length).toBeGreaterThan(before), WAIT)
    await unmark(ben, alien)

    release()

    await untilMarked([
      { itemId, isSeen: true },
      { itemId, isSeen: false },
    ])
  })

  test('a film that a server reports as seen is sent to the other servers of the member, but not back', async () => {
    const { ben, standIn, list, connect, linkHere, add, makeHook, report, viewingsOf, unmark, untilMarked } =
      await aClubWith(theDatabase(), 'jellyfin')
    const other = await aMediaServer('emby', { films: [RAN, ALIEN] })
    const otherPlace = { ...list, serverId: await connect(other) }
    await linkHere(ben)
    await linkHere(ben, 'Lea', otherPlace, other)
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    const address = await makeHook()
    const otherAddress = await makeHook(otherPlace)
    const userId = standIn.state.users[0]?.id ?? ''

    await report(address, ...sentBy(standIn, { userId, film: ALIEN }))
    await untilMarked([{ itemId: other.itemIdOf(ALIEN, 1), isSeen: true }], other)
    // Its echo.
    await report(otherAddress, ...sentBy(other, { userId: other.state.users[0]?.id ?? '', film: ALIEN }))
    await untilDone(list)

    expect(standIn.state.marked).toEqual([])
    expect(await viewingsOf(alien, ben)).toMatchObject({ markedBy: expect.any(String) as string })
    await unmark(ben, alien)
    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: false }])
    await untilMarked(
      [
        { itemId: other.itemIdOf(ALIEN, 1), isSeen: true },
        { itemId: other.itemIdOf(ALIEN, 1), isSeen: false },
      ],
      other,
    )
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: null, markedBy: null })
  })

  test('a film accepted at a night and then played is marked at the other servers of the member', async () => {
    const { started, ana, ben, standIn, list, connect, linkHere, add, makeHook, report, viewingsOf, untilMarked } =
      await aClubWith(theDatabase(), 'jellyfin')
    const other = await aMediaServer('emby', { films: [RAN, ALIEN] })
    const otherPlace = { ...list, serverId: await connect(other) }
    await linkHere(ben)
    await linkHere(ben, 'Lea', otherPlace, other)
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    const address = await makeHook()
    const { id: nightId } = await callOk(started, ENDPOINTS.openNight, ana, { params: list })
    await callOk(started, ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
    const params = { ...list, cardId: alien }
    await callOk(started, ENDPOINTS.moveCard, ana, { params, body: { status: 'WATCHED' } })
    expect(await viewingsOf(alien, ben)).toMatchObject({ own: { username: 'ben' }, markedBy: null })
    await untilDone(list)
    expect([standIn.state.marked, other.state.marked]).toEqual([[], []])

    await report(address, ...sentBy(standIn, { userId: standIn.state.users[0]?.id ?? '', film: ALIEN }))

    await untilMarked([{ itemId: other.itemIdOf(ALIEN, 1), isSeen: true }], other)
    expect(standIn.state.marked).toEqual([])
  })

  test('a mark of a Plex account other than that of the owner is not sent', async () => {
    const { ben, standIn, list, linkHere, add, mark } = await aClubWith(theDatabase(), 'plex')
    await linkHere(ben, 'Ida')
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    const before = standIn.asked.length

    await mark(ben, alien)

    expect(await waiting(list)).toEqual([])
    expect(standIn.asked).toHaveLength(before)
  })

  test('marks made while a Plex account waits are sent only after it is confirmed', async () => {
    const { started, ana, ben, standIn, list, params, add, mark, untilMarked } = await aClubWith(theDatabase(), 'plex')
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    await callOk(started, ENDPOINTS.claimMediaAccount, ben, { params, body: { accountId: '1' } })

    await mark(ben, alien)
    await untilDone(list)
    expect(standIn.state.marked).toEqual([])
    const confirmed = { params: { ...params, username: 'ben' }, body: { accountId: '1', isConfirmed: true } }
    await callOk(started, ENDPOINTS.answerMediaClaim, ana, confirmed)

    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: true }])
  })

  test('a rejected token ends the link, and waiting marks are sent once the member links again', async () => {
    const { ben, standIn, list, own, linkHere, add, mark, untilMarked } = await aClubWith(theDatabase(), 'jellyfin')
    await linkHere(ben)
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    standIn.state.tokens.clear()

    await mark(ben, alien)

    await vi.waitFor(async () => expect(await own(ben)).toMatchObject([{ state: 'ended' }]), WAIT)
    expect([await waiting(list), standIn.state.marked]).toEqual([[], []])
    await linkHere(ben)
    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: true }])
    expect(await own(ben)).toMatchObject([{ state: 'linked' }])
  })

  test('a mark that the server fails to take does not hold up other marks, and is sent later', async () => {
    const films = [ALIEN, RAN, { title: 'Vertigo', year: 1958, tmdb: '426' }]
    const { ben, clock, standIn, list, linkHere, add, mark, unmark } = await aClubWith(theDatabase(), 'jellyfin', {
      films: { films },
    })
    await linkHere(ben)
    const cards: { cardId: string; itemId: string }[] = []
    for (const [place, film] of films.entries()) {
      const cardId = await add(film.title, 'imdb' in film ? { imdb: film.imdb } : { tmdb: film.tmdb })
      cards.push({ cardId, itemId: standIn.itemIdOf(film, place) })
    }
    // Marks that are due at the same time are sent in the order of their cards.
    const [first, second, third] = cards.toSorted((one, other) => (one.cardId < other.cardId ? -1 : 1))
    standIn.state.refusedMarks.set(first?.itemId ?? '', 500)
    await mark(ben, first?.cardId ?? '')
    await vi.waitFor(async () => expect(await failures(list)).toEqual([1]), WAIT)
    await mark(ben, second?.cardId ?? '')
    clock.moveAhead(HOUR_MS)
    await mark(ben, third?.cardId ?? '')

    const items = async (expected: readonly (string | undefined)[]) =>
      await vi.waitFor(() => expect(standIn.state.marked.map(({ itemId }) => itemId)).toEqual(expected), WAIT)
    await items([second?.itemId, third?.itemId])
    expect(await waiting(list)).toEqual([1])
    standIn.state.refusedMarks.clear()
    clock.moveAhead(HOUR_MS)
    await unmark(ben, second?.cardId ?? '')
    await untilDone(list)
    const later = new Set(standIn.state.marked.slice(2).map(({ itemId }) => itemId))
    expect(later).toEqual(new Set([first?.itemId, second?.itemId]))
  })

  test.each(['jellyfin', 'emby'] as const)(
    'a mark that %s answers with 403 is sent later, and the link stays',
    async (kind) => {
      const { ben, clock, standIn, list, own, linkHere, add, mark } = await aClubWith(theDatabase(), kind)
      await linkHere(ben)
      const [alien, ran] = [await add('Alien', { tmdb: ALIEN.tmdb }), await add('Ran', { imdb: RAN.imdb })]
      const items = [standIn.itemIdOf(ALIEN, 0), standIn.itemIdOf(RAN, 1)]
      standIn.state.refusedMarks.set(items[0] ?? '', 403)
      await mark(ben, alien)
      await vi.waitFor(async () => expect(await failures(list)).toEqual([1]), WAIT)
      expect(await own(ben)).toMatchObject([{ state: 'linked' }])

      standIn.state.refusedMarks.clear()
      clock.moveAhead(HOUR_MS)
      await mark(ben, ran)

      await untilDone(list)
      expect(standIn.state.marked.map(({ itemId }) => itemId).toSorted()).toEqual(items.toSorted())
      expect(await own(ben)).toMatchObject([{ state: 'linked' }])
    },
  )

  test('a refusal of the old token does not end a link that the member has made since', async () => {
    const { ben, standIn, own, linkHere, add, mark, untilMarked } = await aClubWith(theDatabase(), 'emby')
    await linkHere(ben)
    const alien = await add('Alien', { tmdb: ALIEN.tmdb })
    const [earlier] = [...standIn.state.tokens.keys()]
    const isMark = ({ path }: { path: string }) => path.includes('/PlayedItems/')
    const release = standIn.hold(isMark)
    await mark(ben, alien)
    await vi.waitFor(() => expect(standIn.asked.filter((one) => isMark(one))).toHaveLength(1), WAIT)

    await linkHere(ben)
    standIn.state.tokens.delete(earlier ?? '')
    release()

    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: true }])
    expect(await own(ben)).toMatchObject([{ state: 'linked' }])
  })

  test('films changed while a link has ended are sent in their last state after the member links again', async () => {
    const films = [ALIEN, RAN, { title: 'Vertigo', year: 1958, tmdb: '426' }]
    const { ben, standIn, list, own, linkHere, add, mark, unmark, untilMarked } = await aClubWith(
      theDatabase(),
      'jellyfin',
      { films: { films } },
    )
    await linkHere(ben)
    const [alien, ran] = [await add('Alien', { tmdb: ALIEN.tmdb }), await add('Ran', { imdb: RAN.imdb })]
    const vertigo = await add('Vertigo', { tmdb: '426' })
    await mark(ben, ran)
    await untilMarked([{ itemId: standIn.itemIdOf(RAN, 1), isSeen: true }])
    standIn.state.tokens.clear()
    await mark(ben, alien)
    await vi.waitFor(async () => expect(await own(ben)).toMatchObject([{ state: 'ended' }]), WAIT)

    await unmark(ben, alien)
    await unmark(ben, ran)
    await mark(ben, vertigo)

    expect(await waiting(list)).toEqual([])
    await linkHere(ben)
    await untilDone(list)
    const said = standIn.state.marked.slice(1).map(({ itemId, isSeen }) => `${itemId} ${isSeen}`)
    const words = [false, false, true].map((isSeen, n) => `${standIn.itemIdOf(films[n] ?? ALIEN, n)} ${isSeen}`)
    expect(said.toSorted()).toEqual(words.toSorted())
  })

  test('a newly linked user gets no earlier marks, and nothing is sent after unlinking', async () => {
    const { started, ben, params, standIn, list, linkHere, add, mark, untilMarked } = await aClubWith(
      theDatabase(),
      'jellyfin',
    )
    await linkHere(ben)
    const [alien, ran] = [await add('Alien', { tmdb: ALIEN.tmdb }), await add('Ran', { imdb: RAN.imdb })]
    await mark(ben, alien)
    await untilMarked([{ itemId: standIn.itemIdOf(ALIEN, 0), isSeen: true }])

    await linkHere(ben, 'Ida')
    await mark(ben, ran)
    await untilDone(list)
    await callOk(started, ENDPOINTS.unlinkMediaUser, ben, { params })
    await mark(ben, await add('Alien', { imdb: ALIEN.imdb }))

    const [lea, ida] = standIn.state.users
    expect(standIn.state.marked.map(({ userId }) => userId)).toEqual([lea?.id, ida?.id])
    expect(await waiting(list)).toEqual([])
  })
})
