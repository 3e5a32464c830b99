import type { FastifyInstance } from 'fastify'

import type { AnyDb, Database } from '@marquee/platform/database/database'
import { localEventBus } from '@marquee/platform/events/bus'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { mailForServer } from '@marquee/platform/mail/queue'
import { createLogger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { buildApp } from '../../app.ts'
import { addressKey, imageNameKey, unsubscribeKey } from '../../master-keys.ts'
import { createImageDecoder } from '../../modules/images/decoder.ts'
import { createParser } from '../../parsing/parser.ts'
import { aUser, aWatchlist } from '../make.ts'
import { testAccounts, testToken } from '../test-accounts.ts'
import type { Evidence } from './audit.ts'
import { changesAfter, countClaimsWithoutReply, lastChange, readTables } from './change-log.ts'
import type { Answer, Instance } from './clients.ts'
import type { Faults } from './faults.ts'
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

type Life = Opened & { app: FastifyInstance; died: Promise<undefined>; isDead: () => boolean }

type Given = {
  faults: Faults
  random: Random
  /** Opens the database for a new process. */
  open: (process: Process) => Opened
  /** Waits until the database has finished everything that a process began. */
  untilQuiet: (observer: AnyDb) => Promise<void>
}

/** Runs the program, and restarts it whenever it is killed. */
export async function startRun({ faults, random, open, untilQuiet }: Given): Promise<Run> {
  const lives: Life[] = []
  let areFaultsOn = false
  let isOver = false
  let current = startLife()

  async function startLife(): Promise<Life> {
    const death = Promise.withResolvers<undefined>()
    let isDead = false
    let isStarted = false
    const opened = open({
      isDead: () => isDead,
      kill: () => {
        // A kill may come after the last answer. A process started then would never be closed.
        if (isDead || isOver) return
        isDead = true
        current = startLife()
        death.resolve(undefined)
      },
      draw: (step, from) => (areFaultsOn && isStarted ? faults.draw(step, from) : undefined),
    })
    const app = await startProgram(opened.database, random)
    isStarted = true
    const life = { ...opened, app, died: death.promise, isDead: () => isDead }
    lives.push(life)
    return life
  }

  const first = await current
  const startedAt = await lastChange(first.observer)
  const { watchlistId, people } = await prepareWatchlist(first)
  const preparedTo = await lastChange(first.observer)
  areFaultsOn = true

  const position = async () => await lastChange((await current).observer, watchlistId)
  return {
    people,
    watchlistId,
    positionBefore: position,
    positionAfter: position,
    send: async (by, call, headers) => {
      const { app, died, isDead } = await current
      const answer = await Promise.race([callProgram(app, by, { call, headers }), died])
      return isDead() || faults.losesAnswer() ? undefined : answer
    },
    evidence: async () => {
      const { observer } = await current
      await untilQuiet(observer)
      return {
        watchlistId,
        preparedTo,
        changes: await changesAfter(observer, startedAt),
        tables: await readTables(observer, watchlistId),
        claimsWithoutReply: await countClaimsWithoutReply(observer),
      }
    },
    end: async () => {
      isOver = true
      await current
      for (const { app, database, close } of lives) {
        await app.close()
        await database.close()
        close()
      }
      // Statements of `node:sqlite` and their memory are freed only once the connection is unreachable from them.
      lives.length = 0
      current = new Promise(() => undefined)
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

/** The whole program on this database, with a clock that never returns the same time twice. Mails stay in the outbox. */
async function startProgram(database: Database<unknown>, random: Random): Promise<FastifyInstance> {
  let moment = Date.UTC(2026, 0, 1)
  const clock = { now: () => new Date((moment += 1)) }
  const logger = createLogger('silent')
  return await buildApp({
    database,
    clock,
    random,
    logger,
    blobs: NO_IMAGES,
    trash: NO_IMAGES,
    decoder: createImageDecoder({ logger }),
    parser: createParser({ logger }),
    webhookKeys: [],
    pushKeys: [],
    unsubscribeKeys: [unsubscribeKey(new Uint8Array(32))],
    setup: { setupCode: 'none', mailTransport: { deliver: async () => undefined }, hasMailServer: false },
    pushSubject: 'mailto:operator@marquee.invalid',
    imageNameKey: imageNameKey(random.bytes(32)),
    addressKey: addressKey(random.bytes(32)),
    remotePosters: 'direct',
    bus: localEventBus(),
    limiter: noRateLimiter,
    accounts: testAccounts,
    allowGuests: false,
    mail: mailForServer({ clock, random }),
    publicUrl: 'http://marquee.test',
    webRoot: undefined,
  })
}

async function prepareWatchlist({ app, database }: Life): Promise<{ watchlistId: string; people: readonly Person[] }> {
  const [owner, ben, cleo, dora] = ['ana', 'ben', 'cleo', 'dora'].map(aUser) as [Person, Person, Person, Person]
  const { watchlist } = await aWatchlist({ app, database }, { owner, members: [ben, cleo] })
  return { watchlistId: watchlist.id, people: [owner, ben, cleo, dora] }
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
      authorization: `Bearer ${testToken(by)}`,
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
