import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { localEventBus } from '@marquee/platform/events/bus'
import { migrate } from '@marquee/platform/database/migrate'
import { idempotencyMigrations } from '@marquee/platform/idempotency/migrations/index'
import type { MailMessage } from '@marquee/platform/mail/message'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { watchKeys } from '@marquee/platform/testing/named-keys'

import { buildApp } from '../app.ts'
import { imageNameKey, pushKey, unsubscribeKey, webhookKey } from '../master-keys.ts'
import { createImageDecoder } from '../modules/images/decoder.ts'
import type { Ports } from '../ports.ts'
import { testAccounts } from './test-accounts.ts'
import { testMail } from './test-mail.ts'

export const PUBLIC_URL = 'http://marquee.test'

export type TestApp = {
  app: FastifyInstance
  database: Database<unknown>
  blobFolder: string
  trashFolder: string
  logged: () => string
  /** The delivered mails so far. */
  mails: () => readonly MailMessage[]
}

/** One decoder for all apps of a test file. */
const decoder = createImageDecoder({ logger: pino({ level: 'silent' }) })

/** The whole app on real parts. Only the identity service is a stand-in, which reads the user from the token. */
export async function startApp(
  database: Database<unknown>,
  ports: Partial<Ports> = {},
): Promise<TestApp & { stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-app-'))
  const blobFolder = join(folder, 'images')
  const trashFolder = join(folder, 'trash')
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  await migrate(database, 'mail', mailMigrations)
  await migrate(database, 'idempotency', idempotencyMigrations)
  const mail = testMail(database, logger)
  const watched = watchKeys(database)
  const app = await buildApp({
    database: watched.database,
    clock: systemClock,
    random: systemRandom,
    logger,
    blobs: diskStore({ folder: blobFolder, random: systemRandom }),
    trash: diskStore({ folder: trashFolder, random: systemRandom }),
    decoder,
    imageNameKey: imageNameKey(systemRandom.bytes(32)),
    webhookKeys: [webhookKey(systemRandom.bytes(32))],
    pushKeys: [pushKey(systemRandom.bytes(32))],
    unsubscribeKeys: [unsubscribeKey(systemRandom.bytes(32))],
    pushSubject: 'mailto:operator@marquee.test',
    bus: localEventBus(),
    limiter: noRateLimiter,
    accounts: testAccounts,
    allowGuests: false,
    mail,
    publicUrl: PUBLIC_URL,
    // Only tests about posters fetch them.
    remotePosters: 'direct',
    webRoot: undefined,
    ...ports,
  })
  const stop = async (): Promise<void> => {
    await app.close()
    await mail.stop()
    await rm(folder, { recursive: true, force: true })
    expect(await watched.unkeyed()).toEqual([])
  }
  return { app, database, blobFolder, trashFolder, logged: () => lines.join(''), mails: mail.delivered, stop }
}

/** One app for a suite, started before its tests and stopped after them. */
export function anApp(theDatabase: () => Database<unknown>, ports: Partial<Ports> = {}): () => TestApp {
  let started: Awaited<ReturnType<typeof startApp>> | undefined
  beforeAll(async () => {
    started = await startApp(theDatabase(), ports)
  })
  afterAll(async () => {
    await started?.stop()
  })
  return () => {
    if (!started) throw new Error('The app is there only while a test runs')
    return started
  }
}
