import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Database } from '@marquee/platform/database/database'
import { createHttp } from '@marquee/platform/http/kernel'
import { noRateLimiter, type RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { folderTransport } from '@marquee/platform/mail/folder-transport'
import { folderSms } from '@marquee/platform/sms/folder-sms'
import { mailAndSms } from '@marquee/platform/sms/sms-message'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { startMailQueue } from '@marquee/platform/mail/queue'
import { type Clock, systemClock } from '@marquee/platform/runtime/clock'
import { createLogger, type Logger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'
import { watchKeys } from '@marquee/platform/testing/named-keys'
import { WITHIN } from '@marquee/platform/testing/within'
import type { FastifyInstance } from 'fastify'
import { expect, vi } from 'vitest'

import { createIdentity, type Identity, identityMigrations, type IdentityPorts } from '../index.ts'

/** The tables a suite with a pool needs, for `eachDatabase`. */
export const POOL_TABLES = { mail: mailMigrations, identity: identityMigrations }

export const PUBLIC_URL = 'https://marquee.example'

/** A clock that changes only when a test moves it. */
export type TestClock = Clock & { advance: (ms: number) => void }

export function testClock(start = '2026-11-20T18:34:15.000Z'): TestClock {
  let now = new Date(start).getTime()
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms
    },
  }
}

/** The user pool of one process behind a web server, with a real outbox folder. */
export type RunningPool = {
  app: FastifyInstance
  identity: Identity
  /** The ports of the pool, for tests of functions that no operation reaches. */
  ports: IdentityPorts
  masterKey: Buffer
  /** The folder of .eml files. */
  outbox: string
  /** Calls an operation over HTTP and returns the status and the parsed body. */
  call: (
    operation: string,
    body: object,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: Record<string, unknown> }>
  /** All mails to an address, oldest first, as .eml source. */
  readMails: (to: string) => Promise<string[]>
  /** The code in text message number `count` to a phone; waits for it. */
  readSmsCode: (to: string, count?: number) => Promise<string>
  /** The code in mail number `count` to an address; waits for it. */
  readCode: (to: string, count?: number) => Promise<string>
  close: () => Promise<void>
}

/** Starts a pool on a database; `beside` makes it a second process of the same installation. */
export async function aPool(
  database: Database<unknown>,
  {
    clock = systemClock,
    beside,
    masterKey = beside?.masterKey ?? randomBytes(32),
    logger = createLogger('silent'),
    limiter = noRateLimiter,
    settings = {},
  }: {
    clock?: Clock
    beside?: RunningPool
    masterKey?: Buffer
    logger?: Logger
    limiter?: RateLimiter
    settings?: Partial<IdentityPorts>
  } = {},
): Promise<RunningPool> {
  const folder = beside?.outbox ?? (await mkdtemp(join(tmpdir(), 'marquee-outbox-')))
  const print = () => undefined
  const mailFolder = folderTransport({ folder, from: 'Marquee <no-reply@marquee.example>', print })
  const transport = mailAndSms(mailFolder, folderSms({ folder, print }))
  const watched = watchKeys(database)
  const mail = startMailQueue({ database: watched.database, transport, clock, random: systemRandom, logger })
  const ports: IdentityPorts = {
    database: watched.database,
    clock,
    random: systemRandom,
    mail,
    limiter,
    masterKey,
    publicUrl: PUBLIC_URL,
    logger,
    productName: 'Marquee',
    ...settings,
  }
  const identity = await createIdentity(ports)
  const app = createHttp({
    logger,
    bodyLimit: 8 * 1024 * 1024,
    problemFor: (status) => ({ type: 'SERVER_ERROR', message: `Server error: ${status}` }),
  })
  app.addHook('onClose', watched.note)
  await app.register(identity.routes, { prefix: '/identity' })
  await app.register(identity.hostedRoutes)
  await app.ready()

  const seen = new Map<string, string>()
  /** All messages of the outbox with this file name ending, oldest first. */
  const readOutbox = async (ending: string) => {
    const files = (await readdir(folder)).filter((name) => name.endsWith(ending)).toSorted()
    for (const name of files) if (!seen.has(name)) seen.set(name, await readFile(join(folder, name), 'utf8'))
    return files.map((name) => seen.get(name) ?? '')
  }
  const readMails = async (to: string) => (await readOutbox('.eml')).filter((source) => source.includes(`To: ${to}\n`))

  return {
    app,
    identity,
    ports,
    masterKey,
    outbox: folder,
    call: async (operation, body, headers = {}) => {
      const reply = await app.inject({
        method: 'POST',
        url: '/identity/',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
          ...headers,
        },
        payload: JSON.stringify({ ClientId: identity.pool.userPoolClientId, ...body }),
      })
      return { status: reply.statusCode, body: reply.json() }
    },
    readMails,
    readSmsCode: async (to, count = 1) =>
      await vi.waitFor(
        async () => {
          const mine = (await readOutbox('.sms.txt')).filter((text) => text.startsWith(`To: ${to}\n`))
          const code = /^(\d{6}) is/mu.exec(mine[count - 1] ?? '')?.[1]
          if (code === undefined) throw new Error(`There is no text message number ${count} to ${to}`)
          return code
        },
        { ...WITHIN, interval: 5 },
      ),
    readCode: async (to, count = 1) =>
      await vi.waitFor(
        async () => {
          const codes = (await readMails(to)).flatMap((mail) => /^(\d{6}|\d{8})$/mu.exec(mail)?.[1] ?? [])
          const code = codes[count - 1]
          if (code === undefined) throw new Error(`There is no mail number ${count} to ${to} with a code`)
          return code
        },
        { ...WITHIN, interval: 5 },
      ),
    close: async () => {
      await app.close()
      await mail.stop()
      if (!beside) await rm(folder, { recursive: true, force: true })
      expect(await watched.unkeyed()).toEqual([])
    },
  }
}
