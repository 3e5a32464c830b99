import pino from 'pino'
import { expect, test, vi } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { DrawFilter } from '@marquee/contract/entities/draw'
import { WEBHOOK_KINDS } from '@marquee/contract/entities/webhook'
import { systemRandom } from '@marquee/platform/runtime/random'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import type { MediaServerPort } from './rooms/movies/media-servers/service.ts'
import type { WebhookTables } from './rooms/news/webhooks/store.ts'
import { removePersonAt } from './remove-person.ts'
import { call, type Caller, type CallInput, callOk } from './testing/call.ts'
import { allAnnounced } from './testing/all-announced.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { NO_MEDIA_SERVERS } from './testing/media-servers.ts'
import { recordingBus } from './testing/recording-bus.ts'
import { isCall, QUERIES } from './testing/scene.ts'
import { anApp } from './testing/start-app.ts'

/** All reads about a watchlist or a night, and what users read of all their watchlists. */
const READS = (Object.keys(ENDPOINTS) as EndpointName[])
  .filter(isCall)
  .filter((name) => ENDPOINTS[name].method === 'GET')
  .filter(
    (name) =>
      /:(?:watchlistId|nightId)/u.test(ENDPOINTS[name].path) || name === 'exportData' || name === 'listNotifications',
  )

/** Calls that fail after a vote or a veto. Their replies must not differ either. */
const ATTEMPTS: [EndpointName, ((cardId: string) => object)?][] = [
  ['castBallot', () => ({ drawNumber: 1, scores: {}, veto: null })],
  ['vetoCard', (cardId) => ({ cardId })],
  ['undoMove'],
  ['moveCard', () => ({ status: 'SUGGESTED' })],
  ['listComments'],
]

const OBSERVERS = ['owner', 'member', 'guest', 'screen', 'stranger'] as const
const SEEDS = ['5e'.repeat(32)]
const START = Date.UTC(2031, 0, 10, 20)
const TITLES = ['Film A', 'Film B', 'Film C']

const WAIT = { timeout: 60_000, interval: 20 }
const ON_SERVER = 'Ikiru'
/** A media server that has one movie. */
const HOME: MediaServerPort = {
  identify: async () => await Promise.resolve({ machineId: 'home', name: 'Home', version: '1' }),
  meet: async () => await Promise.resolve({ machineId: 'home', version: '1' }),
  listMovies: async function* listMovies() {
    const ids = { tmdbId: null, imdbId: null, wikidataId: null }
    yield await Promise.resolve([{ itemId: '1', title: ON_SERVER, year: null, ...ids }])
  },
  listPlayers: async () => await Promise.resolve([]),
  play: async () => await Promise.resolve(),
  mark: async () => await Promise.resolve(),
  linkTo: () => 'https://media.example',
}

type Ballot = { scores: readonly (0 | 1 | 2)[]; vetoed?: number }
const LOVES_A: Ballot = { scores: [2, 0, 1] }
const LOVES_B: Ballot = { scores: [0, 2, 1] }
const VETOES_C: Ballot = { scores: [1, 1, 1], vetoed: 2 }
const LIKES_ALL: Ballot = { scores: [1, 1, 1] }

/** A way to act in a night, with the token of a session or of a guest. */
type Person = <N extends EndpointName>(name: N, input?: CallInput) => ReturnType<typeof call<(typeof ENDPOINTS)[N]>>

type Stage = {
  ben: Person
  cleo: Person
  lea: Person
  /** All others who are there vote alike. */
  othersVote: () => Promise<void>
  cast: (by: Person, ballot: Ballot) => Promise<void>
  veto: (by: Person) => Promise<unknown>
  deleteBen: () => Promise<void>
  /** Adds a movie to the box, from which Ana prepares a draw. */
  fillBox: (by: Person, title: string, filter?: DrawFilter) => Promise<void>
  /** Ana connects a media server that has one movie. */
  connectServer: () => Promise<void>
}

type Story = {
  opens: 'card' | 'shortlist'
  play: (stage: Stage, isOther: boolean) => Promise<void>
  /** False if the data export of Ben has nothing of it. */
  knowsOwn?: false
}

/** What differs between two nights, of which others must not learn anything. `isOther` is true in the second one. */
const STORIES: Record<string, Story> = {
  'who has voted so far': {
    opens: 'shortlist',
    play: async ({ ben, cleo, cast }, isOther) => {
      await cast(isOther ? ben : cleo, LOVES_A)
    },
  },
  'who gave which ballot': {
    opens: 'shortlist',
    play: async ({ ben, cleo, cast, othersVote }, isOther) => {
      await cast(ben, isOther ? LOVES_B : LOVES_A)
      await cast(cleo, isOther ? LOVES_A : LOVES_B)
      await othersVote()
    },
  },
  'who voted last': {
    opens: 'shortlist',
    play: async ({ ben, cleo, cast, othersVote }, isOther) => {
      await othersVote()
      await cast(isOther ? ben : cleo, LOVES_A)
      await cast(isOther ? cleo : ben, LOVES_A)
    },
  },
  'whether a member or a guest vetoed a movie of the shortlist': {
    opens: 'shortlist',
    play: async ({ ben, cleo, lea, cast, othersVote }, isOther) => {
      await cast(ben, isOther ? LIKES_ALL : VETOES_C)
      await cast(lea, isOther ? VETOES_C : LIKES_ALL)
      await cast(cleo, LIKES_ALL)
      await othersVote()
    },
  },
  'who vetoed a revealed card, and who came too late': {
    opens: 'card',
    play: async ({ ben, cleo, veto }, isOther) => {
      await veto(isOther ? ben : cleo)
      await veto(isOther ? cleo : ben)
    },
  },
  'whether a member or a guest vetoed a revealed card': {
    opens: 'card',
    play: async ({ ben, lea, veto }, isOther) => {
      await veto(isOther ? ben : lea)
    },
  },
  'who put which movie into the box, from which a draw is prepared': {
    opens: 'shortlist',
    knowsOwn: false,
    play: async ({ ben, cleo, fillBox }, isOther) => {
      await fillBox(isOther ? ben : cleo, isOther ? 'Ikiru' : 'Rango')
    },
  },
  'whether a movie of a media server is in the box, from which a draw is prepared': {
    opens: 'shortlist',
    knowsOwn: false,
    play: async ({ ben, connectServer, fillBox }, isOther) => {
      await connectServer()
      await fillBox(ben, isOther ? ON_SERVER : 'Rango', { watchable: true })
    },
  },
  'whether a member whose account is deleted had vetoed a revealed card': {
    opens: 'card',
    knowsOwn: false,
    play: async ({ ben, cleo, veto, deleteBen }, isOther) => {
      await veto(isOther ? ben : cleo)
      await deleteBen()
    },
  },
}

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let now = START
  const clock = { now: () => new Date(now) }
  const bus = recordingBus()
  /** 127.0.0.1 plays the public internet. */
  const webhookFetch = { lookup: async () => ['127.0.0.1'], allowAddress: () => true, allowPort: () => true }
  const lines: string[] = []
  const logger = pino(
    { level: 'trace', base: null, timestamp: false },
    { write: (line: string) => void lines.push(line) },
  )
  const mediaServers = { ...NO_MEDIA_SERVERS, reach: webhookFetch, open: () => HOME }
  const theApp = anApp(theDatabase, { clock, bus, logger, webhookFetch, mediaServers })

  /** Waits until all notifications and webhook messages of the calls so far are made. */
  async function settled({ id }: { id: string }) {
    await allAnnounced(theDatabase(), clock, id)
    await vi.waitFor(
      async () => {
        const rows = await theDatabase()
          .withTables<WebhookTables>()
          .read.selectFrom('webhook_delivery')
          .select('id')
          .where('watchlist_id', '=', id)
          .where('state', '=', 'waiting')
          .execute()
        expect(rows).toEqual([])
      },
      { timeout: 20_000, interval: 20 },
    )
  }

  /** A night with a card or a shortlist. Ana and Mia are there, too. */
  async function aNight(opens: 'card' | 'shortlist') {
    now = START
    const members = ['ana', 'ben', 'cleo', 'dora'].map((name) => aUser(name))
    const [ana, ben, cleo, dora] = members as [Caller, Caller, Caller, Caller]
    names.clear()
    for (const { userId, username } of members) names.set(userId, username)
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo, dora] })
    const inThis = { watchlistId: watchlist.id }
    const messages: string[] = []
    const service = await aWebServer((request, response) => {
      request.on('data', (part: Buffer) => void messages.push(part.toString()))
      request.on('end', () => response.writeHead(204).end())
    })
    const url = `http://chat.example:${service.port}/hook`
    const { id: webhookId } = await callOk(theApp(), ENDPOINTS.createWebhook, ana, {
      params: inThis,
      body: { name: 'Chat', url, format: 'standard', kinds: WEBHOOK_KINDS },
    })
    const titles = opens === 'card' ? TITLES.slice(0, 1) : TITLES
    for (const title of titles) await aCard(theApp(), { inside: watchlist, by: ana, title })
    const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: inThis })
    const params: Record<string, string> = { ...inThis, nightId, drawNumber: '1', webhookId }
    for (const by of [ben, cleo]) {
      now += 1_000
      await callOk(theApp(), ENDPOINTS.arriveAtNight, by, { params })
    }
    const addGuest = async (nickname: string) => {
      now += 1_000
      const { token, guest } = await callOk(theApp(), ENDPOINTS.addGuest, ana, { params, body: { nickname } })
      names.set(guest.guestId, nickname)
      return token
    }
    const [lea, mia] = [await addGuest('Lea'), await addGuest('Mia')]
    const screen = (await call(theApp(), ENDPOINTS.requestScreen, undefined)).body
    await callOk(theApp(), ENDPOINTS.pairScreen, ana, { params, body: { code: screen.code } })
    const { pass } = (await call(theApp(), ENDPOINTS.findScreenPass, undefined, { body: screen })).body

    // A message on its way is sent again if the clock jumps.
    await settled(watchlist)
    now += 60_000
    const { drawNumber } = await callOk(theApp(), ENDPOINTS.prepareDraw, ana, {
      params,
      body: { picks: opens === 'card' ? 1 : 3 },
    })
    const ids: string[] = []
    if (opens === 'card') {
      const body = { seeds: SEEDS }
      const { cards } = await callOk(theApp(), ENDPOINTS.revealDraw, ana, { params, body })
      ids.push(...cards.map(({ id }) => id))
    } else {
      const body = { drawNumber, seeds: SEEDS }
      const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ana, { params, body })
      ids.push(...(vote?.cards.map(({ cardId }) => cardId) ?? []))
    }
    params['cardId'] = ids[0] ?? ''
    await settled(watchlist)
    now += 60_000

    const user =
      (caller: Caller): Person =>
      async (name, input) =>
        await call(theApp(), ENDPOINTS[name], caller, { params, ...input })
    const holder =
      (token: string): Person =>
      async (name, input) =>
        await call(theApp(), ENDPOINTS[name], undefined, {
          params,
          headers: { authorization: `Bearer ${token}` },
          ...input,
        })
    const stage: Stage = {
      ben: user(ben),
      cleo: user(cleo),
      lea: holder(lea),
      cast: async (by, { scores, vetoed }) => {
        now += 1_000
        const body = {
          drawNumber,
          scores: Object.fromEntries(ids.map((id, n) => [id, scores[n]])),
          veto: vetoed === undefined ? null : ids[vetoed],
        }
        expect((await by('castBallot', { body })).status).toBe(200)
      },
      othersVote: async () => {
        for (const by of [user(ana), holder(mia)]) await stage.cast(by, LIKES_ALL)
        if (!(await hasVoted(holder(lea)))) await stage.cast(holder(lea), LIKES_ALL)
      },
      veto: async (by) => {
        now += 1_000
        return await by('vetoCard', { body: { cardId: ids[0] } })
      },
      connectServer: async () => {
        const body = { kind: 'jellyfin', url: 'http://media.example', token: 'key' }
        expect((await user(ana)('connectMediaServer', { body })).status).toBe(201)
        await vi.waitFor(async () => {
          expect((await user(ana)('listMediaServers')).body.servers.map(({ state }) => state)).toEqual(['ready'])
        }, WAIT)
      },
      fillBox: async (by, title, filter) => {
        now += 1_000
        const body = { title, image: 'https://example.org/poster.jpg' }
        expect((await by('addCard', { body })).status).toBe(201)
        const prepared = await user(ana)('prepareDraw', { body: { nightId, filter } })
        expect(prepared.status).toBe(201)
        params['drawNumber'] = String(prepared.body.drawNumber)
      },
      deleteBen: async () => {
        await theDatabase().transaction(async (trx) => await removePersonAt(clock, systemRandom)(trx, ben.userId))
      },
    }
    const observers: Record<(typeof OBSERVERS)[number], Person> = {
      owner: user(ana),
      member: user(dora),
      guest: holder(mia),
      screen: holder(pass?.token ?? ''),
      stranger: user(aUser('eve')),
    }
    /** What leaves the server by itself. */
    const sent = async () => {
      await settled(watchlist)
      return {
        events: bus.eventsFor(watchlist.id).map(plain),
        messages: linesOf(messages),
        mails: theApp().mails().length,
      }
    }
    return { stage, observers, ids, sent }
  }

  /** Plays one night, and returns all that each observer learns of it. */
  async function seenIn({ opens, play }: Story, isOther: boolean) {
    lines.length = 0
    const { stage, observers, ids, sent } = await aNight(opens)
    await play(stage, isOther)
    const heard = await sent()
    const look = async (by: Person) => {
      const seen: Record<string, unknown> = {}
      for (const name of READS) seen[name] = outline(await by(name, { query: QUERIES[name] ?? {} }))
      for (const [name, body] of ATTEMPTS) {
        seen[`${name}, attempted`] = outline(await by(name, body && { body: body(ids[0] ?? '') }))
      }
      return seen
    }
    const seen: Record<string, unknown> = {}
    for (const who of OBSERVERS) seen[who] = await look(observers[who])
    return {
      seen: { ...seen, ...heard, log: linesOf(lines) },
      ben: stage.ben,
      ids,
    }
  }

  test.each(Object.entries(STORIES))('no one else can tell %s', async (_what, story) => {
    const { knowsOwn = true } = story
    const [first, second] = [await seenIn(story, false), await seenIn(story, true)]

    expect(second.seen).toEqual(first.seen)
    // The comparison notices what is not secret: each voter knows their own ballots and vetoes.
    if (!knowsOwn) return
    const own = async ({ ben, ids }: typeof first) => {
      const text = JSON.stringify((await ben('exportData')).body)
      return plain(JSON.parse(ids.reduce((rest, id, n) => rest.replaceAll(id, `card ${n}`), text)))
    }
    expect(await own(second)).not.toEqual(await own(first))
  })
})

async function hasVoted(by: Person): Promise<boolean> {
  return (await by('findVote')).body.vote?.ballot !== null
}

/** Status, size, version and content of a reply. */
function outline({ status, headers, body }: Awaited<ReturnType<Person>>) {
  const { etag, 'content-length': size } = headers
  return plain({ status, etag, size, body })
}

/** Different lines of JSON. Their order and number depend on what happens in the background. */
function linesOf(lines: readonly string[]): Set<string> {
  return new Set(lines.map((line) => JSON.stringify(plain(JSON.parse(line)))))
}

/** The names of the people of a night, by the ids of users and guests. */
const names = new Map<string, string>()

/** A value without what is random in each night, so that two nights can be compared. */
function plain(value: unknown): unknown {
  const text = [...names]
    .reduce((rest, [id, name]) => rest.replaceAll(id, name), JSON.stringify(value))
    .replaceAll(/Film [ABC]/gu, 'a film')
    .replaceAll(/"ms":\d+/gu, '"ms":0')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gu, 'an id')
    .replaceAll(/[\da-f]{32,}/gu, 'random')
    .replaceAll(/chat\.example:\d+/gu, 'a host')
    // Members join at the real time.
    .replaceAll(/"20(?:2\d|30)-[^"]+Z"/gu, '"real time"')
  return JSON.parse(text, (_key, item: unknown) => (Array.isArray(item) ? inOrder(item) : item))
}

/** Cards whose status changed at the same time are in the order of their ids, which are random. */
function inOrder(items: unknown[]): unknown[] {
  const hasTitles = items.every((item) => typeof item === 'object' && item !== null && 'title' in item)
  if (!hasTitles) return items
  return items.map((item) => JSON.stringify(item)).toSorted((one, other) => (one < other ? -1 : 1))
}
