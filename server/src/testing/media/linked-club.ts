import { expect, onTestFinished, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { MediaLink } from '@marquee/contract/entities/media-link'
import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'
import type { Database } from '@marquee/platform/database/database'

import type { Ports } from '../../ports.ts'
import { type Caller, callOk } from '../call.ts'
import { aUser, aWatchlist } from '../make.ts'
import { NO_MEDIA_SERVERS } from '../media-servers.ts'
import { movableClock } from '../movable-clock.ts'
import { startApp } from '../start-app.ts'
import { aMediaServer, MEDIA_HERE } from './a-media-server.ts'
import type { MediaStandIn } from './stand-in.ts'

export const ALIEN = { title: 'Alien', year: 1979, tmdb: '348', imdb: 'tt0078748' }
export const RAN = { title: 'Ran', year: 1985, imdb: 'tt0089881' }
const WAIT = { timeout: 60_000, interval: 50 }

type Place = { watchlistId: string; serverId: string }
type Options = { readonly films?: Parameters<typeof aMediaServer>[1]; readonly ports?: Partial<Ports> }

/** Media servers are on, and reach the stand-ins of tests. */
export const MEDIA_SERVERS_HERE = { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE }

/** A watchlist of Ana with Ben and Cleo, and a media server whose list was read. */
export async function aClubWith(database: Database<unknown>, kind: MediaStandIn['kind'], options: Options = {}) {
  const standIn = await aMediaServer(kind, options.films ?? { films: [ALIEN, RAN] })
  const clock = movableClock()
  const started = await startApp(database, { clock, mediaServers: MEDIA_SERVERS_HERE, ...options.ports })
  onTestFinished(started.stop)
  const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
  const { watchlist } = await aWatchlist(started, { owner: ana, members: [ben, cleo] })
  const list = { watchlistId: watchlist.id }
  const params = { ...list, serverId: await connect(standIn) }

  async function connect({ kind: its, url, state }: MediaStandIn): Promise<string> {
    const body = { kind: its, url, token: state.key }
    const { serverId } = await callOk(started, ENDPOINTS.connectMediaServer, ana, { params: list, body })
    await vi.waitFor(async () => {
      const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params: list })
      expect(servers.find((one) => one.serverId === serverId)?.state).toBe('ready')
    }, WAIT)
    return serverId
  }
  const linkHere = async (by: Caller, name = 'Lea', at: Place = params, server = standIn) =>
    await linkUser(started, { by, name, params: at, standIn: server, owner: ana })
  const own = async (by: Caller) => (await callOk(started, ENDPOINTS.listMediaLinks, by, { params: list })).links
  const add = async (title: string, ids: object | undefined, { inBox = false } = {}) => {
    const image = 'https://example.org/a.jpg'
    const body = { title, ...(ids && { movie: { ids } }), image, revealImmediately: !inBox }
    return (await callOk(started, ENDPOINTS.addCard, ana, { params: list, body })).id
  }
  const viewingsOf = async (cardId: string, by: Caller = ana) => {
    const { cards } = await callOk(started, ENDPOINTS.listViewings, by, { params: list, query: { cards: cardId } })
    return cards[0]
  }
  const mark = async (by: Caller, cardId: string, body: object = {}) =>
    await callOk(started, ENDPOINTS.saveViewing, by, { params: { ...list, cardId }, body })
  const unmark = async (by: Caller, cardId: string) => {
    await callOk(started, ENDPOINTS.deleteViewing, by, { params: { ...list, cardId } })
  }
  const makeHook = async (at: Place = params) =>
    new URL((await callOk(started, ENDPOINTS.makeMediaHook, ana, { params: at })).url).pathname
  const report = async (path: string, body: string, contentType = 'application/json') =>
    await started.app.inject({ method: 'POST', url: path, headers: { 'content-type': contentType }, body })
  const untilFault = async (fault: MediaServerFaultKind) => {
    clock.moveAhead(2 * 60_000)
    await callOk(started, ENDPOINTS.readMediaServer, ana, { params })
    await vi.waitFor(async () => {
      const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params: list })
      expect(servers.find((one) => one.serverId === params.serverId)).toMatchObject({ state: 'failing', fault })
    }, WAIT)
  }
  const hooks = async () => (await callOk(started, ENDPOINTS.listMediaLinks, ana, { params: list })).hooks
  const untilMarked = async (marks: readonly { itemId: string; isSeen: boolean }[], server = standIn) =>
    await vi.waitFor(() => {
      expect(server.state.marked.map(({ itemId, isSeen }) => ({ itemId, isSeen }))).toEqual(marks)
    }, WAIT)
  return {
    started,
    clock,
    standIn,
    ana,
    ben,
    cleo,
    list,
    params,
    connect,
    linkHere,
    own,
    add,
    viewingsOf,
    mark,
    unmark,
    makeHook,
    report,
    hooks,
    untilFault,
    untilMarked,
  }
}

/** Links a user of a server, in the way of its kind. */
async function linkUser(
  started: Awaited<ReturnType<typeof startApp>>,
  {
    by,
    name,
    params,
    standIn,
    owner,
  }: { by: Caller; name: string; params: Place; standIn: MediaStandIn; owner: Caller },
): Promise<MediaLink> {
  const user = standIn.state.users.find((one) => one.name === name)
  if (!user) throw new Error(`There is no user ${name}`)
  if (standIn.kind === 'emby') {
    const body = { name, password: user.password ?? '' }
    return await callOk(started, ENDPOINTS.linkWithPassword, by, { params, body })
  }
  if (standIn.kind === 'plex') {
    const link = await callOk(started, ENDPOINTS.claimMediaAccount, by, { params, body: { accountId: user.id } })
    if (link.state === 'linked') return link
    const place = { ...params, username: by.username }
    const body = { accountId: user.id, isConfirmed: true }
    await callOk(started, ENDPOINTS.answerMediaClaim, owner, { params: place, body })
    return { ...link, state: 'linked' }
  }
  const { code, attempt } = await callOk(started, ENDPOINTS.beginQuickConnect, by, { params })
  const entered = [...standIn.state.codes.values()].find((one) => one.code === code)
  if (entered) entered.userId = user.id
  const { link } = await callOk(started, ENDPOINTS.finishQuickConnect, by, { params, body: { attempt } })
  if (!link) throw new Error('The code was not entered')
  return link
}
