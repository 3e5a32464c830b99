import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { idempotencyMigrations } from '@marquee/platform/idempotency/migrations/index'
import type { MailMessage } from '@marquee/platform/mail/message'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { watchKeys } from '@marquee/platform/testing/named-keys'

import { buildApp } from '../app.ts'
import { createImageDecoder } from '../rooms/movies/images/decoder.ts'
import { createParser } from '../parsing/parser.ts'
import type { Ports } from '../ports.ts'
import { testMail } from './test-mail.ts'
import { testPorts } from './test-ports.ts'

export { PUBLIC_URL } from './test-ports.ts'

export type TestApp = {
  app: FastifyInstance
  database: Database<unknown>
  blobFolder: string
  trashFolder: string
  logged: () => string
  /** The delivered mails so far. */
  mails: () => readonly MailMessage[]
  /** Addresses whose mail server refuses mails. */
  refusing: Set<string>
}

/** One decoder and one parser for all apps of a test file. */
const decoder = createImageDecoder({ logger: pino({ level: 'silent' }) })
const parser = createParser({ logger: pino({ level: 'silent' }) })

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
    ...testPorts(systemRandom.bytes(32)),
    database: watched.database,
    logger,
    blobs: diskStore({ folder: blobFolder, random: systemRandom }),
    trash: diskStore({ folder: trashFolder, random: systemRandom }),
    decoder,
    parser,
    mail,
    ...ports,
  })
  const stop = async (): Promise<void> => {
    await app.close()
    await mail.stop()
    await rm(folder, { recursive: true, force: true })
    await watched.note()
    expect(await watched.unkeyed()).toEqual([])
  }
  return {
    app,
    database,
    blobFolder,
    trashFolder,
    logged: () => lines.join(''),
    mails: mail.delivered,
    refusing: mail.refusing,
    stop,
  }
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
