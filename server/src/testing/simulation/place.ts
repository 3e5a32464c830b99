import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { WEBHOOK_KINDS } from '@marquee/contract/entities/webhook'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { type EventBus, localEventBus } from '@marquee/platform/events/bus'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { startMailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import { createLogger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { buildApp } from '../../app.ts'
import {
  addressKey,
  imageNameKey,
  linkKey,
  mediaServerKey,
  pushKey,
  unsubscribeKey,
  webhookKey,
} from '../../master-keys.ts'
import { endedInvitations } from '../../rooms/club/join-links/service.ts'
import { createImageDecoder } from '../../rooms/movies/images/decoder.ts'
import type { RequestServerPort } from '../../rooms/movies/media-servers/service.ts'
import { createParser } from '../../parsing/parser.ts'
import { callOk } from '../call.ts'
import { aUser, aWatchlist } from '../make.ts'
import { testAccounts, testToken } from '../test-accounts.ts'
import type { Evidence } from './audit.ts'
import {
  changesAfter,
  countClaimsWithoutReply,
  lastChange,
  lastHeldChange,
  readTables,
  waitingRows,
} from './change-log.ts'
import type { Answer, Instance } from './clients.ts'
import type { Faults } from './faults.ts'
import { NO_MEDIA_SERVERS } from '../media-servers.ts'
import { type Outside, startOutside } from './outside.ts'
import { FILMS, HOME_URL } from './home-server.ts'
import type { MediaKnowledge } from './media-requests.ts'
import { simulatedSeerr } from './seerr.ts'
import type { ApiCall, Person } from './requests.ts'

/** A database on which seeds are run one after the other. */
export type Place = {
  /** A new watchlist with three members and a user who is not a member yet. Faults begin with the first request. */
  begin: (seed: { faults: Faults; random: Random }) => Promise<Run>
  remove: () => Promise<void>
}

export type Run = Instance & {
  people: readonly Person[]
  watchlistId: string
  /** A night with the members, which is open at first. */
  openNightId: string
  /** A media server whose films have cards in the feed. */
  media: MediaKnowledge
  /** The stored rows once nothing is running any more. */
  evidence: () => Promise<Omit<Evidence, 'journal'>>
  end: () => Promise<void>
}

/** One run of the program, from its start to its end, from the view of its database. */
export type Process = {
  /** Nothing that it does after its end may reach the database. */
  isDead: () => boolean
  /** Called during a step: another process is started at once with the state that this one leaves. */
  kill: () => void
  /** The fault of a step, if any. */
  draw: Faults['draw']
}

/** The database of one process; `observer` sees committed data, without faults. */
type Opened = { database: Database<unknown>; observer: AnyDb; close: () => void }

type Life = Opened & {
  app: FastifyInstance
  died: Promise<undefined>
  isDead: () => boolean
  kill: () => void
  stop: () => Promise<void>
}

type Given = {
  faults: Faults
  random: Random
  /** How many processes serve at the same time. */
  processes: number
  /** Opens the database for a new process. */
  open: (process: Process) => Opened
  /** Waits until the database has finished everything that a process began. */
  untilQuiet: (observer: AnyDb) => Promise<void>
}

/** Runs the program, and restarts each of its processes whenever it is killed. */
export async function startRun({ faults, random, processes, open, untilQuiet }: Given): Promise<Run> {
  const lives: Life[] = []
  const clock = movingClock()
  const bus = localEventBus()
  let areFaultsOn = false
  let isOver = false
  let sent = 0
  const outside = await startOutside(() => areFaultsOn && faults.isOut())
  const seerr = simulatedSeerr(() => areFaultsOn && faults.isOut())
  const isAlone = processes === 1
  const current: Promise<Life>[] = []
  for (let place = 0; place < processes; place += 1) {
    current.push(startLife(place))
    await current[place]
  }

  async function startLife(place: number): Promise<Life> {
    const death = Promise.withResolvers<undefined>()
    let isDead = false
    let isStarted = false
    const kill = (): void => {
      // A kill may come after the last answer. A process started then would never be closed.
      if (isDead || isOver) return
      isDead = true
      current[place] = startLife(place)
      death.resolve(undefined)
    }
    const opened = open({
      isDead: () => isDead,
      kill,
      draw: (step, from) => (areFaultsOn && isStarted ? faults.draw(step, from) : undefined),
    })
    const program = await startProgram({ ...opened, random, clock, bus, outside, seerr, isAlone, isDead: () => isDead })
    isStarted = true
    const life = { ...opened, ...program, died: death.promise, isDead: () => isDead, kill }
    lives.push(life)
    return life
  }

  const alive = async (n = 0): Promise<Life> => {
    const life = await current[n % processes]
    if (!life) throw new Error('No process runs')
    return life
  }
  const first = await alive()
  const startedAt = await lastChange(first.observer)
  const { watchlistId, people } = await prepareWatchlist(first, outside)
  const media = await prepareMedia(first, watchlistId, people)
  await untilNone(async () => await waitingRows(first.observer, clock.now().getTime() + HOUR_MS))
  const preparedTo = await lastChange(first.observer)
  const openNightId = await openNight(first, watchlistId, people.slice(0, -1))
  areFaultsOn = true

  /** Waits until all that is due is done. A process that died left claims, which end with time, as do the pauses after failures. */
  async function settle(): Promise<readonly string[]> {
    const waiting = async (until: number, activitiesUntil = until) => {
      const now = clock.now().getTime()
      return await waitingRows((await alive()).observer, now + until, now + activitiesUntil)
    }
    // A process that is killed while it sends something sends it again. So nothing is under way, however slow the machine is.
    if (faults.isCalm) await untilNone(async () => await waiting(CLAIMS_LAST_MS, 0), LONGEST_CALM_WORK_MS)
    for (let round = 0; round < MOST_RESTARTS; round += 1) {
      clock.moveAhead(HOUR_MS)
      for (let n = 0; n < processes; n += 1) (await alive(n)).kill()
      await alive(processes - 1)
      // A process watches the claims of a dead one for a while, by its clock.
      for (let step = 0; step < MOST_STEPS; step += 1) {
        if ((await untilNone(async () => await waiting(CLAIMS_LAST_MS))).length === 0) break
        clock.moveAhead(WATCHED_MS)
      }
      if ((await waiting(HOUR_MS)).length === 0) return []
    }
    return await waiting(HOUR_MS)
  }

  return {
    people,
    watchlistId,
    openNightId,
    media,
    positionBefore: async () => await lastHeldChange((await alive()).observer, watchlistId),
    positionAfter: async () => await lastChange((await alive()).observer, watchlistId),
    send: async (by, call, headers) => {
      sent += 1
      const { app, died, isDead } = await alive(sent)
      const answer = await Promise.race([callProgram(app, by, { call, headers }), died])
      return isDead() || faults.losesAnswer() ? undefined : answer
    },
    evidence: async () => {
      areFaultsOn = false
      await untilQuiet((await alive()).observer)
      const waiting = await settle()
      const { observer } = await alive()
      await untilQuiet(observer)
      return {
        watchlistId,
        preparedTo,
        changes: await changesAfter(observer, startedAt),
        tables: await readTables(observer, watchlistId),
        claimsWithoutReply: await countClaimsWithoutReply(observer),
        announced: { waiting, sent: outside.sent, isCalm: faults.isCalm },
      }
    },
    end: async () => {
      isOver = true
      await Promise.all(current)
      for (const { stop, database, close } of lives) {
        await stop()
        await database.close()
        close()
      }
      await outside.close()
      // Statements of `node:sqlite` and their memory are freed only once the connection is unreachable from them.
      lives.length = 0
      current.length = 0
    },
  }
}

const HOUR_MS = 60 * 60_000
const MOST_RESTARTS = 5
const MOST_STEPS = 5
const WATCHED_MS = 6_000
const CLAIMS_LAST_MS = 60_000
const LONGEST_WORK_MS = 3_000
const LONGEST_CALM_WORK_MS = 60_000
const LOOK_AGAIN_MS = 5

/** Waits until nothing is found, for a while. */
async function untilNone(
  find: () => Promise<readonly string[]>,
  longest = LONGEST_WORK_MS,
): Promise<readonly string[]> {
  const end = performance.now() + longest
  for (;;) {
    const found = await find()
    if (found.length === 0 || performance.now() > end) return found
    await pause(LOOK_AGAIN_MS)
  }
}

/** A clock that never returns the same time twice. */
function movingClock(): Clock & { moveAhead: (ms: number) => void } {
  let moment = Date.UTC(2026, 0, 1)
  return {
    now: () => new Date((moment += 1)),
    moveAhead: (ms) => {
      moment += ms
    },
  }
}

/** Cards have posters by URL. */
const NO_IMAGES: BlobStore = {
  put: async () => undefined,
  get: async () => undefined,
  has: async () => false,
  delete: async () => undefined,
  list: async function* listNothing() {},
}

type Parts = Opened & {
  random: Random
  clock: Clock
  bus: EventBus
  outside: Outside
  seerr: RequestServerPort
  isAlone: boolean
  isDead: () => boolean
}

/** The whole program on this database, with all its queues. */
async function startProgram(parts: Parts): Promise<Pick<Life, 'app' | 'stop'>> {
  const { database, clock, random, bus, outside, seerr, isAlone, isDead } = parts
  const logger = createLogger('silent')
  const master = new Uint8Array(32)
  // What a dead process has under way never comes back, so that it does not try again for ever.
  const mortal: Database<unknown> = {
    ...database,
    transaction: async (work) => await (isDead() ? Promise.withResolvers<never>().promise : database.transaction(work)),
  }
  const isOver = endedInvitations({ database, clock })
  const mail = startMailQueue({
    database: mortal,
    transport: outside.mailServer,
    clock,
    random,
    logger,
    isAlone,
    isOver,
  })
  const app = await buildApp({
    database,
    clock,
    random,
    logger,
    blobs: NO_IMAGES,
    trash: NO_IMAGES,
    decoder: createImageDecoder({ logger }),
    parser: createParser({ logger }),
    webhookKeys: [webhookKey(master)],
    webhookFetch: outside.fetchOptions,
    mediaServers: {
      ...NO_MEDIA_SERVERS,
      keys: [mediaServerKey(master)],
      open: outside.openMediaServer,
      openRequests: () => seerr,
    },
    linkKeys: [linkKey(master)],
    pushKeys: [pushKey(master)],
    pushFetch: outside.fetchOptions,
    unsubscribeKeys: [unsubscribeKey(master)],
    setup: { setupCode: 'none', mailTransport: outside.mailServer, hasMailServer: true },
    pushSubject: 'mailto:operator@marquee.invalid',
    imageNameKey: imageNameKey(random.bytes(32)),
    addressKey: addressKey(random.bytes(32)),
    remotePosters: 'direct',
    announceAfterMs: 1,
    bus,
    limiter: noRateLimiter,
    accounts: testAccounts,
    allowGuests: false,
    mail,
    publicUrl: 'http://marquee.test',
    webRoot: undefined,
  })
  const stop = async (): Promise<void> => {
    await app.close()
    if (!isDead()) await mail.stop()
  }
  return { app, stop }
}

const POSTER = 'https://posters.example.org/a.jpg'
const BOX = ['Alien', 'Brazil', 'Clueless', 'Dune', 'Elf', 'Fargo', 'Gattaca', 'Heat', 'Ikiru', 'Jaws']

async function prepareWatchlist(
  { app, database }: Life,
  outside: Outside,
): Promise<Pick<Run, 'watchlistId' | 'people'>> {
  const [owner, ben, cleo, dora] = ['ana', 'ben', 'cleo', 'dora'].map(aUser) as [Person, Person, Person, Person]
  const { watchlist } = await aWatchlist({ app, database }, { owner, members: [ben, cleo], box: BOX })
  await callOk({ app }, ENDPOINTS.createWebhook, owner, {
    params: { watchlistId: watchlist.id },
    body: { name: 'Chat', url: outside.hookUrl, format: 'standard', kinds: WEBHOOK_KINDS },
  })
  await callOk({ app }, ENDPOINTS.connectRequestServer, owner, {
    params: { watchlistId: watchlist.id },
    body: { url: 'http://seerr.example', token: 'key' },
  })
  await callOk({ app }, ENDPOINTS.savePushDevice, ben, { body: outside.subscription })
  return { watchlistId: watchlist.id, people: [owner, ben, cleo, dora] }
}

/** A media server with films that have cards, to which two members have linked their users. */
async function prepareMedia(
  { app, observer }: Life,
  watchlistId: string,
  [owner, ben]: readonly Person[],
): Promise<MediaKnowledge> {
  if (!owner || !ben) throw new Error('There is no one to link')
  const params = { watchlistId }
  const films: { cardId: string; tmdbId: string }[] = []
  for (const { title, tmdbId } of FILMS) {
    const body = { title, movie: { ids: { tmdb: tmdbId } }, image: POSTER, revealImmediately: true }
    films.push({ cardId: (await callOk({ app }, ENDPOINTS.addCard, owner, { params, body })).id, tmdbId })
  }
  const given = { kind: 'emby', url: HOME_URL, token: 'key', openUrl: HOME_URL }
  const { serverId } = await callOk({ app }, ENDPOINTS.connectMediaServer, owner, { params, body: given })
  const place = { watchlistId, serverId }
  for (const by of [owner, ben]) {
    const body = { name: by.username, password: 'password' }
    await callOk({ app }, ENDPOINTS.linkWithPassword, by, { params: place, body })
  }
  const { url } = await callOk({ app }, ENDPOINTS.makeMediaHook, owner, { params: place })
  await untilNone(async () => {
    const { media_server: servers } = await readTables(observer, watchlistId)
    return servers.flatMap(({ name, list_id: list }) => (list === null ? [String(name)] : []))
  })
  return { serverId, secret: url.split('/').at(-1) ?? '', films }
}

/** A night to which these people come. */
async function openNight({ app }: Life, watchlistId: string, people: readonly Person[]): Promise<string> {
  const ids: string[] = []
  for (const by of people) ids.push((await callOk({ app }, ENDPOINTS.openNight, by, { params: { watchlistId } })).id)
  return ids[0] ?? ''
}

/** Sends a call to the program; undefined if the reply says to try again. */
async function callProgram(
  app: FastifyInstance,
  by: Person,
  { call: { method, path, body }, headers }: { call: ApiCall; headers: Record<string, string> },
): Promise<Answer | undefined> {
  const response = await app.inject({
    method,
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${by.token ?? testToken(by)}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { payload: JSON.stringify(body) }),
  })
  if (response.statusCode === 503) return undefined
  return {
    status: response.statusCode,
    body: response.body === '' ? {} : response.json<unknown>(),
    etag: response.headers.etag,
  }
}
