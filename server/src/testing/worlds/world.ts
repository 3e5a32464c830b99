import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type ClientRequest, createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Kysely, type KyselyPlugin, sql } from 'kysely'

import { type AnyDb, type Database, withTables } from '@marquee/platform/database/database'
import { localEventBus } from '@marquee/platform/events/bus'
import type { MailMessage } from '@marquee/platform/mail/message'
import type { MailOptions } from '@marquee/platform/mail/queue'
import { createLogger } from '@marquee/platform/runtime/logger'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { buildApp } from '../../app.ts'
import { createImageDecoder, type ImageDecoder } from '../../rooms/movies/images/decoder.ts'
import type { MediaServerPort, RequestServerPort } from '../../rooms/movies/media-servers/service.ts'
import { createParser, type Parser } from '../../parsing/parser.ts'
import type { PushTables } from '../../rooms/news/push/store.ts'
import { NO_MEDIA_SERVERS } from '../media-servers.ts'
import { testToken } from '../test-accounts.ts'
import { testPorts } from '../test-ports.ts'
import { type Chance, seededChance } from '../simulation/chance.ts'
import { openStreams } from './streams.ts'
import type { Time } from './time.ts'

/** A request as it is sent to both worlds. */
export type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | undefined
  /** Whether the reply is an event stream, of which only the beginning is read. */
  readonly isStream: boolean
}

export type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  /** The text of each statement, in order. */
  readonly statements: readonly string[]
}

/** One installation, and all that leaves it. */
export type World = {
  readonly database: Database<unknown>
  /** From now on chance is that of this number, so that a step has the same in both worlds whatever was before. */
  readonly reseed: (seed: number, step: number) => void
  readonly send: (asked: Asked) => Promise<Answered>
  /** Follows an event stream; its text goes to `told` under this name. */
  readonly follow: (name: string, asked: Asked) => Promise<void>
  /** What streams, mails, webhooks and push messages have told since the last call. */
  readonly told: () => Record<string, readonly string[]>
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>
  /** Removes everything, for the next seed. */
  readonly wipe: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Turns of the event loop after which nothing more comes, while neither a database nor another service is being asked. */
const QUIET_TURNS = 20

/** Requests of both worlds to others. However slow the machine is, what is under way is waited for. */
let underWay = 0
subscribe('http.client.request.start', (message) => {
  underWay += 1
  const { request } = message as { request: ClientRequest }
  request.once('close', () => {
    underWay -= 1
  })
})
subscribe('undici:request:create', () => {
  underWay += 1
})
for (const end of ['undici:request:trailers', 'undici:request:error']) {
  subscribe(end, () => {
    underWay -= 1
  })
}
/** The limit of Node: a longer timer fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647
/** Rows that stay over all seeds. */
const LASTING = /^(?:sqlite_.*|migration.*|.*_migrations?|installation|push_key|identity_.*)$/u

/** What both worlds send to others ends up in `tellers`, by the address of the loopback that a world calls. */
export type Elsewhere = {
  readonly port: number
  readonly tellers: Map<string, (message: string) => void>
  readonly stop: () => Promise<void>
}

/** The services that receive webhooks and push messages of both worlds. */
export async function startElsewhere(): Promise<Elsewhere> {
  const tellers = new Map<string, (message: string) => void>()
  const server = createServer((request, response) => {
    void describe(request).then((message) => {
      const { status, body } = answerTo(request)
      response.writeHead(status, { connection: 'close' }).end(body)
      tellers.get(request.socket.localAddress ?? '')?.(message)
    })
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    tellers,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Where movies can be watched is known of all, so that each is asked about once. Others only get messages. */
function answerTo({ url = '' }: IncomingMessage): { status: number; body?: string } {
  const [, tmdbId] = /^\/3\/movie\/(\d+)\/watch\/providers$/u.exec(url) ?? []
  const providers = [{ provider_id: 11, provider_name: 'Mubi' }]
  if (tmdbId !== undefined) return { status: 200, body: JSON.stringify({ results: { DE: { flatrate: providers } } }) }
  if (url.startsWith('/3/watch/providers/')) return { status: 200, body: JSON.stringify({ results: providers }) }
  return { status: 204 }
}

/** A push message is encrypted with a key of its own, so only its length can be compared. */
async function describe(request: IncomingMessage): Promise<string> {
  const body = await text(request)
  const isEncrypted = request.headers['content-encoding'] !== undefined
  const host = request.headers.host?.replace(/^127[.\d]+:/u, 'loopback:')
  return `${host} ${request.url} ${isEncrypted ? request.headers['content-length'] : body}`
}

/** What reads uploads, in a process and threads of their own. */
export type Readers = { readonly decoder: ImageDecoder; readonly parser: Parser }

/** For both worlds. They outlive the hours and days that pass in a step, because to start them takes longer than a seed. */
export function startReaders(): Readers {
  const options = { logger: createLogger('silent'), idleMs: LONGEST_TIMER_MS }
  return { decoder: createImageDecoder(options), parser: createParser(options) }
}

const NO_IMAGES: BlobStore = {
  put: async () => undefined,
  get: async () => undefined,
  has: async () => false,
  delete: async () => undefined,
  list: async function* listNothing() {},
}

const A_USER_AT_HOME = { userId: 'lea', name: 'Lea', token: 'token' }

/** A media server that has one of the movies that may be hidden, and one of the feed. */
const HOME: MediaServerPort = {
  identify: async () => await Promise.resolve({ machineId: 'home', name: 'Home', version: '1' }),
  meet: async () => await Promise.resolve({ machineId: 'home', version: '1' }),
  listMovies: async function* listMovies() {
    const ids = { imdbId: null, wikidataId: null }
    yield await Promise.resolve(
      ['949', '1398'].map((tmdbId) => ({ itemId: tmdbId, title: tmdbId, year: null, tmdbId, ...ids })),
    )
  },
  listPlayers: async () => await Promise.resolve([{ sessionId: 'tv', device: 'TV', app: 'App', user: null }]),
  play: async () => await Promise.resolve(),
  mark: async () => await Promise.resolve(),
  quickConnect: {
    begin: async () => await Promise.resolve({ code: '123456', secret: 'secret' }),
    finish: async () => await Promise.resolve(A_USER_AT_HOME),
  },
  signIn: async () => await Promise.resolve(A_USER_AT_HOME),
  listAccounts: async () => await Promise.resolve([{ accountId: '1', name: 'Lea' }]),
  linkTo: (openUrl, machineId, itemId) => `${openUrl}/${machineId}/${itemId}`,
}

/** A server that fetches whatever it is asked for, and has one movie of the feed soon. */
const SEERR: RequestServerPort = {
  identify: async () => await Promise.resolve({ version: '1' }),
  look: async (tmdbId) => await Promise.resolve(tmdbId === '1398' ? 'here' : 'coming'),
  ask: async () => await Promise.resolve('coming'),
}

/** A world on an empty database with all tables. Both worlds have the same keys and share the time. */
export async function startWorld(
  database: Database<unknown>,
  { time, address, elsewhere, readers }: { time: Time; address: string; elsewhere: Elsewhere; readers: Readers },
): Promise<World> {
  const asking = new AsyncLocalStorage<string[] | undefined>()
  const heard = new Map<string, string[]>()
  const tell = (name: string, message: string): void => {
    heard.set(name, [...(heard.get(name) ?? []), message])
  }
  const aboutBox = noteAsksOutsideCalls(asking, address)
  elsewhere.tellers.set(address, (message) => {
    if (!aboutBox.forget(message)) tell('others', message)
  })
  /** Plays the public internet. */
  const outside = {
    lookup: async () => await Promise.resolve([address]),
    allowAddress: () => true,
    allowPort: () => true,
  }
  const random = restartable()
  const logger = createLogger('silent')
  const watched = recording(database, asking)
  const app = await buildApp({
    ...testPorts(Buffer.alloc(32, 7)),
    database: watched,
    clock: time.clock,
    random,
    logger,
    blobs: NO_IMAGES,
    trash: NO_IMAGES,
    ...readers,
    bus: localEventBus(() => time.clock.now().getTime()),
    allowGuests: true,
    watchProviders: { token: 'token', url: `http://${address}:${elsewhere.port}/3` },
    mediaServers: { ...NO_MEDIA_SERVERS, reach: outside, open: () => HOME, openRequests: () => SEERR },
    mail: mailsTo((mail) => {
      tell('mails', mail)
    }, random),
    webhookFetch: outside,
    pushFetch: { ...outside, allowsHttp: true },
    imageFetch: { lookup: async () => await Promise.resolve([]) },
  })
  const tables = await tablesToEmpty(database)
  const streams = await openStreams(app)
  const settled = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      await nextTurn()
      const { inUse, waiting } = database.load()
      quiet = inUse + waiting + underWay + streams.underWay() === 0 ? quiet + 1 : 0
    }
  }
  return {
    database,
    reseed: random.restart,
    settled,
    send: async (asked) => {
      const statements: string[] = []
      const { status, headers, body } = await asking.run(statements, async () => await ask(app, asked))
      return { status, headers, body, statements: statements.splice(0) }
    },
    follow: async (name, asked) => {
      await streams.follow(asked, (message) => {
        tell(name, message)
      })
    },
    told: () => {
      // Streams and messages are independent of each other; each stream has its order.
      const all = [...heard].map(
        ([name, messages]) => [name, name === 'others' ? messages.toSorted() : messages] as const,
      )
      heard.clear()
      return Object.fromEntries(all.toSorted(([name], [another]) => (name < another ? -1 : 1)))
    },
    wipe: async () => {
      streams.leave()
      await settled()
      await emptyTables(database, tables)
      await settled()
      heard.clear()
    },
    stop: async () => {
      streams.stop()
      aboutBox.stop()
      await app.close()
      await database.close()
    },
  }
}

/**
 * What a world asks where movies can be watched without a call that causes it: it is about cards in the box. What calls ask must
 * be the same in both worlds.
 */
function noteAsksOutsideCalls(asking: AsyncLocalStorage<string[] | undefined>, address: string) {
  const asks: string[] = []
  const note = (message: unknown) => {
    const { request } = message as { request: { origin: string; path: string } }
    if (request.origin.includes(`//${address}:`) && asking.getStore() === undefined) asks.push(request.path)
  }
  subscribe('undici:request:create', note)
  return {
    /** Whether a message is one of these. */
    forget: (message: string): boolean => {
      const place = asks.findIndex((path) => message.includes(` ${path} `))
      if (place >= 0) asks.splice(place, 1)
      return place >= 0
    },
    stop: () => {
      unsubscribe('undici:request:create', note)
    },
  }
}

/** Gives both worlds the same key for push messages, which is made by chance that no one passes in. */
export async function shareLasting(one: World, other: World): Promise<void> {
  // The first push message loads it, which takes a while.
  await import('web-push')
  const headers = { authorization: `Bearer ${testToken({ userId: 'operator', username: 'operator' })}` }
  await one.send({ method: 'GET', url: '/api/push/key', headers, payload: undefined, isStream: false })
  const keys = withTables<PushTables>(one.database.read).selectFrom('push_key').selectAll()
  await withTables<PushTables>(other.database.schema)
    .insertInto('push_key')
    .values(await keys.execute())
    .execute()
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function injected({ method, url, headers, payload }: Asked): InjectOptions {
  return {
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers,
    ...(payload !== undefined && { payload }),
  }
}

async function ask(app: FastifyInstance, asked: Asked): Promise<Omit<Answered, 'statements'>> {
  if (!asked.isStream) {
    const { statusCode: status, headers, body } = await app.inject(injected(asked))
    return { status, headers, body }
  }
  const response = await app.inject({ ...injected(asked), payloadAsStream: true })
  const stream = response.stream()
  const [first] = (await stream.take(1).toArray()) as Buffer[]
  stream.destroy()
  response.raw.res.destroy()
  return { status: response.statusCode, headers: response.headers, body: String(first ?? '') }
}

/** Random values that begin again with each step. Ordered ids go on in the order of the steps. */
function restartable() {
  let chance: Chance = seededChance(0, 0)
  let prefix = ''
  let made = 0
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.below(256)))
  return {
    bytes,
    below: (limit: number) => chance.below(limit),
    uuid: () => `${bytes(4).toString('hex')}-0000-4000-8000-${bytes(6).toString('hex')}`,
    orderedId: () => {
      made += 1
      return `${prefix}-${String(made).padStart(4, '0')}-7000-8000-${bytes(6).toString('hex')}`
    },
    restart: (seed: number, step: number) => {
      chance = seededChance(seed, step)
      prefix = step.toString(16).padStart(8, '0')
      made = 0
    },
  }
}

/** The same database, which records the text of each statement for the request that causes it. */
function recording(database: Database<unknown>, asking: AsyncLocalStorage<string[] | undefined>): Database<unknown> {
  const watch = (db: Kysely<unknown>) => db.withPlugin(noting(db, asking))
  const watched: Database<unknown> = {
    ...database,
    read: watch(database.read),
    transaction: async (work, options) => {
      // Requests and background work may share a transaction, which runs in the context of the first.
      const own = asking.getStore()
      const noted = async (trx: Kysely<unknown>) => await work(watch(trx))
      return await database.transaction(async (trx) => await asking.run(own, noted, trx), options)
    },
    withTables: <Other>() => watched as unknown as Database<Other>,
  }
  return watched
}

function noting(db: AnyDb, asking: AsyncLocalStorage<string[] | undefined>): KyselyPlugin {
  return {
    transformQuery: ({ node, queryId }) => {
      asking.getStore()?.push(shapeOf(db.getExecutor().compileQuery(node, queryId).sql))
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  }
}

/** The text of a statement, whose lists of values have any length. */
function shapeOf(statement: string): string {
  return statement
    .replaceAll(/\$\d+/gu, '?')
    .replaceAll(/\?(?:, \?)+/gu, '?')
    .replaceAll(/\(\?\)(?:, \(\?\))+/gu, '(?)')
}

/** An outbox that tells its mails at once. */
function mailsTo(tell: (mail: string) => void, { uuid }: { uuid: () => string }) {
  const note = (message: MailMessage, when: string) => {
    tell(`${when} ${JSON.stringify(message)}`)
  }
  return {
    enqueue: async (_trx: AnyDb, message: MailMessage, options: MailOptions = {}) => {
      note(message, JSON.stringify(options))
      return await Promise.resolve(uuid())
    },
    replace: async (_trx: AnyDb, id: string, message: MailMessage) => {
      note(message, `in place of ${id}`)
      return await Promise.resolve(true)
    },
    cancel: async (_trx: AnyDb, id: string) => {
      tell(`not ${id}`)
      await Promise.resolve()
    },
    wake: () => undefined,
    onRefusal: () => undefined,
  }
}

/** The tables are read once: they are the same for all seeds. */
async function tablesToEmpty({ schema }: Database<unknown>): Promise<readonly string[]> {
  return (await schema.introspection.getTables()).map(({ name }) => name).filter((name) => !LASTING.test(name))
}

/** PostgreSQL repeats a transaction that met a deadlock with work in the background. */
async function emptyTables({ dialect, transaction }: Database<unknown>, tables: readonly string[]): Promise<void> {
  await transaction(async (trx) => {
    if (dialect === 'postgres') {
      await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))}`.execute(trx)
      return
    }
    for (const name of tables) await sql`delete from ${sql.table(name)}`.execute(trx)
  })
}
