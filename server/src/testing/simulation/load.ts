import { setTimeout as pause } from 'node:timers/promises'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { AnyDb } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { SENT_BEFORE } from '@marquee/platform/testing/round-robin'

import { clientOf } from '../api-client.ts'
import { audit } from './audit.ts'
import {
  changesAfter,
  countClaimsWithoutReply,
  lastChange,
  lastHeldChange,
  openObserver,
  readTables,
} from './change-log.ts'
import { seededChance } from './chance.ts'
import { type Answer, type Entry, startClients } from './clients.ts'
import { type ApiCall, EVERY_DAY, type Person } from './requests.ts'

const CLIENTS = 6
/** The others go on while no picture can be stored: a client repeats its request until it is answered. */
const CLIENTS_WITH_PICTURES = 3
const TRY_AGAIN_MS = 25
const GIVES_UP_MS = 90_000

/** Reads the server's database from outside, where a change log is installed. */
export type Observe = <T>(look: (db: AnyDb) => Promise<T>) => Promise<T>

type Given = {
  url: string
  /** The id tokens of the users: the first creates the watchlist, the others may be invited to it. */
  tokens: readonly string[]
  observe: Observe
  /** An image for some of the cards, as a data URL. */
  picture?: string
}

export type Load = {
  readonly watchlistId: string
  /** The number of answered requests so far. */
  count: () => number
  /** How often a request was repeated. */
  retries: () => number
  /** Resolves once this many more requests are answered. */
  untilAnswered: (requests: number) => Promise<void>
  /** From now on each client rests so long between two requests. */
  rest: (ms: number) => void
  /** Lets every client finish its request, and returns the findings. */
  audit: () => Promise<string[]>
}

/** Users of one watchlist on a real server, who send requests as fast as they can, or with a rest, whatever happens to it. */
export async function startLoad({ url, tokens, observe, picture }: Given): Promise<Load> {
  const people = tokens.map(readPerson)
  const tokenOf = new Map(people.map(({ userId }, n) => [userId, tokens[n] ?? '']))
  const preparedBefore = await observe(async (db) => await lastChange(db))
  const { body: watchlist } = await clientOf({ url }, tokens[0] ?? '')<Watchlist>('POST', '/watchlists', {
    name: 'Films',
  })
  const preparedTo = await observe(async (db) => await lastChange(db))
  let known = preparedTo
  let retries = 0
  let restMs = 0
  let isOver = false
  let lastAnswerAt = performance.now()

  async function send(by: Person, call: ApiCall, headers: Record<string, string>): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${url}/api${call.path}`, {
        method: call.method,
        headers: {
          authorization: `Bearer ${tokenOf.get(by.userId) ?? ''}`,
          ...(call.body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(call.body && { body: JSON.stringify(call.body) }),
      })
      const text = await response.text()
      // The server or the load balancer asks to try again.
      if (response.status === 502 || response.status === 503) return undefined
      lastAnswerAt = performance.now()
      const body: unknown = text === '' ? {} : JSON.parse(text)
      return {
        status: response.status,
        body,
        etag: response.headers.get('etag') ?? undefined,
        isSentBefore: response.headers.has(SENT_BEFORE),
      }
    } catch {
      return undefined
    }
  }

  async function positionAfter(): Promise<number> {
    for (;;) {
      try {
        return await observe(async (db) => {
          known = Math.max(known, await lastHeldChange(db, watchlist.id))
          return await lastChange(db, watchlist.id)
        })
      } catch {
        // The database may be down at the moment.
        await pause(TRY_AGAIN_MS)
      }
    }
  }

  const { journal, askOnce } = startClients({
    instance: { send, positionBefore: async () => await Promise.resolve(known), positionAfter },
    chance: seededChance(systemRandom.below(2 ** 31), 0),
    newKey: systemRandom.uuid,
    watchlistId: watchlist.id,
    people,
    // The number of watchlists of a user is limited.
    weights: { ...EVERY_DAY, read: 3, create: 0 },
    beforeRetry: async () => {
      retries += 1
      if (performance.now() - lastAnswerAt > GIVES_UP_MS) throw new Error('Nothing was answered for 90 seconds')
      await pause(TRY_AGAIN_MS)
    },
  })
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (!isOver) {
      await askOnce(client < CLIENTS_WITH_PICTURES ? picture : undefined)
      await pause(restMs)
    }
  })
  const ended = Promise.all(clients)
  ended.catch(() => undefined) // rejects in `audit`

  const count = () => journal.filter(({ attempts }) => attempts.at(-1)?.answer !== undefined).length

  async function missingPictures(entries: readonly Entry[]): Promise<string[]> {
    const urls = new Set(entries.flatMap(({ attempts }) => attempts.flatMap(({ answer }) => imageIn(answer))))
    const findings: string[] = []
    for (const { pathname } of [...urls].map((image) => new URL(image))) {
      if (!pathname.startsWith('/images/')) continue
      if (!(await fetch(`${url}${pathname}`)).ok) findings.push(`The picture ${pathname} is missing`)
    }
    return findings
  }

  return {
    watchlistId: watchlist.id,
    count,
    retries: () => retries,
    untilAnswered: async (requests) => {
      const goal = count() + requests
      while (count() < goal) {
        if (performance.now() - lastAnswerAt > GIVES_UP_MS) throw new Error(`Only ${count()} of ${goal} were answered`)
        await pause(TRY_AGAIN_MS)
      }
    },
    rest: (ms) => {
      restMs = ms
    },
    audit: async () => {
      isOver = true
      await ended
      const evidence = await observe(async (db) => ({
        watchlistId: watchlist.id,
        journal,
        preparedTo,
        // Other users may create watchlists meanwhile.
        changes: (await changesAfter(db, preparedBefore)).filter((change) => change.watchlistId === watchlist.id),
        tables: await readTables(db, watchlist.id),
        claimsWithoutReply: await countClaimsWithoutReply(db),
      }))
      return [...audit(evidence), ...(await missingPictures(journal))]
    },
  }
}

/** The user of an id token. */
function readPerson(token: string): Person {
  const [, claims = ''] = token.split('.')
  const { sub, ...others } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>
  return { userId: sub ?? '', username: others['cognito:username'] ?? '' }
}

/** Reads an embedded database through a connection that is open only meanwhile. */
export function observeFile(path: string): Observe {
  return async (look) => {
    const { db, close } = openObserver(path, { readOnly: true })
    try {
      return await look(db)
    } finally {
      close()
    }
  }
}

/** The URL of the image of an added card. */
function imageIn(answer: Answer | undefined): string[] {
  const { imageUrl } = (answer?.body ?? {}) as { imageUrl?: unknown }
  return typeof imageUrl === 'string' && answer?.status === 201 ? [imageUrl] : []
}
