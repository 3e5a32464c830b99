import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { aMediaServer, MEDIA_HERE } from '../../../../testing/media/a-media-server.ts'
import { TELEVISION } from '../../../../testing/media/stand-in.ts'
import { NO_MEDIA_SERVERS } from '../../../../testing/media-servers.ts'
import { movableClock } from '../../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../../testing/start-app.ts'
import { testToken } from '../../../../testing/test-accounts.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const ALIEN = { title: 'Alien', year: 1979, tmdb: '348' }

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  let started: TestApp & { stop: () => Promise<void> }
  let [ana, ben] = [aUser('ana'), aUser('ben')]
  let params: { watchlistId: string }
  let nightId: string
  let cardId: string
  let serverId: string
  let standIn: Awaited<ReturnType<typeof aMediaServer>>

  beforeAll(async () => {
    started = await startApp(theDatabase(), { clock, mediaServers: { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE } })
  })
  afterAll(async () => {
    await started.stop()
  })

  /** A night of ana, with a card of the feed whose movie is on a server. Ben is not there. */
  async function aNight(kind: 'jellyfin' | 'emby' | 'plex' = 'jellyfin') {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(started, { owner: ana, members: [ben] })
    params = { watchlistId: watchlist.id }
    standIn = await aMediaServer(kind, { films: [ALIEN] })
    const body = { kind, url: standIn.url, token: standIn.state.key, openUrl: 'https://media.example.org' }
    ;({ serverId } = await callOk(started, ENDPOINTS.connectMediaServer, ana, { params, body }))
    await vi.waitFor(async () => {
      const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params })
      expect(servers[0]?.state).toBe('ready')
    }, WAIT)
    ;({ id: nightId } = await callOk(started, ENDPOINTS.openNight, ana, { params }))
    const card = { title: 'Alien', movie: { ids: { tmdb: '348' } }, image: 'https://example.org/a.jpg' }
    const added = { ...card, revealImmediately: true }
    ;({ id: cardId } = await callOk(started, ENDPOINTS.addCard, ana, { params, body: added }))
  }
  const accept = async () =>
    await callOk(started, ENDPOINTS.moveCard, ana, { params: { ...params, cardId }, body: { status: 'WATCHED' } })
  const players = async (by: Caller) => await call(started, ENDPOINTS.listPlayers, by, { params: { nightId } })
  const play = async (by: Caller, sessionId: string) =>
    await call(started, ENDPOINTS.playWinner, by, { params: { nightId }, body: { serverId, sessionId } })

  test.each(['jellyfin', 'emby', 'plex'] as const)('the winner plays on the chosen device of %s', async (kind) => {
    await aNight(kind)
    await accept()

    const { body } = await players(ana)
    const television = { serverId, serverName: standIn.state.name, device: 'Television', app: 'Living room app' }
    expect(body).toEqual({ players: [{ ...television, sessionId: TELEVISION.id }] })
    expect(standIn.state.played).toEqual([])

    expect((await play(ana, TELEVISION.id)).status).toBe(204)
    expect(standIn.state.played).toEqual([{ player: TELEVISION.id, itemId: standIn.itemIdOf(ALIEN, 0) }])
  })

  test('a night without a winner lists no devices and plays nothing', async () => {
    await aNight()

    expect((await players(ana)).body).toEqual({ players: [] })
    expect((await play(ana, TELEVISION.id)).body.message).toBe('This night has no winner yet')
    expect(standIn.state.played).toEqual([])
  })

  test('a member who is not at the night can neither see devices nor play the winner', async () => {
    await aNight()
    await accept()

    expect((await players(ben)).body.message).toBe('Say that you are here first')
    expect((await play(ben, TELEVISION.id)).status).toBe(400)
    expect(standIn.state.played).toEqual([])
  })

  test('a failure to play is reported, and the link stays', async () => {
    await aNight()
    await accept()
    const links = async () => {
      const { cards } = await callOk(started, ENDPOINTS.listNightAvailability, ana, { params: { nightId } })
      return cards.map(({ servers }) => servers.map(({ link }) => link?.startsWith('https://media.example.org/')))
    }
    standIn.fail('down')

    expect((await play(ana, TELEVISION.id)).body).toMatchObject({ message: 'No media server answers at this address' })
    expect((await players(ana)).body).toEqual({ players: [] })
    expect(await links()).toEqual([[true]])
    standIn.fail(undefined)
    expect((await play(ana, 'gone')).body).toMatchObject({ message: 'This player is not there any more' })
  })

  test.each(['jellyfin', 'emby', 'plex'] as const)(
    'another machine at the address of %s lists no devices, plays nothing and gets no key',
    async (kind) => {
      await aNight(kind)
      await accept()
      standIn.state.machineId = standIn.state.machineId.split('').toReversed().join('')
      const before = standIn.asked.length

      expect((await players(ana)).body).toEqual({ players: [] })
      expect((await play(ana, TELEVISION.id)).body).toMatchObject({ fault: 'other-server' })
      expect(JSON.stringify(standIn.asked.slice(before))).not.toContain(standIn.state.key)
    },
  )

  test('a disconnected server plays nothing', async () => {
    await aNight()
    await accept()
    await callOk(started, ENDPOINTS.deleteMediaServer, ana, { params: { ...params, serverId } })

    expect((await play(ana, TELEVISION.id)).body.message).toBe('This media server does not have the movie')
  })

  test('a screen gets the name of the server without a link, and a guest gets no server', async () => {
    await aNight()
    await accept()
    const place = { params: { nightId } }
    const { joinCode } = await callOk(started, ENDPOINTS.makeNightCode, ana, place)
    const joined = { code: joinCode ?? '', nickname: 'Lea' }
    const guest = await call(started, ENDPOINTS.joinNight, undefined, { body: joined })
    const { body: secrets } = await call(started, ENDPOINTS.requestScreen, undefined)
    await callOk(started, ENDPOINTS.pairScreen, ana, { ...place, body: { code: secrets.code } })
    const body = { code: secrets.code, secret: secrets.secret }
    const screen = await call(started, ENDPOINTS.findScreenPass, undefined, { body })
    const serversFor = async (token: unknown) => {
      const headers = { authorization: `Bearer ${String(token)}` }
      const answer = await call(started, ENDPOINTS.listNightAvailability, undefined, { ...place, headers })
      return (answer.body.cards as { servers: unknown[] }[]).flatMap(({ servers }) => servers)
    }

    expect(await serversFor((screen.body.pass as { token: string }).token)).toEqual([
      { serverId, kind: 'jellyfin', name: standIn.state.name, link: null },
    ])
    expect(await serversFor((guest.body as { token: string }).token)).toEqual([])
    expect(await serversFor(testToken(ana))).toHaveLength(1)
  })
})
