import { join } from 'node:path'

import pino from 'pino'

import { openDatabase } from '@marquee/platform/database/open'
import { startMailQueue } from '@marquee/platform/mail/queue'
import { smtpTransport } from '@marquee/platform/mail/smtp-transport'
import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'

import { buildApp } from '../app.ts'
import { makeTables } from '../migrations/make-tables.ts'
import { endedInvitations } from '../rooms/club/join-links/service.ts'
import { createImageDecoder } from '../rooms/movies/images/decoder.ts'
import { createParser } from '../parsing/parser.ts'
import { movableClock } from './movable-clock.ts'
import { register } from './test-accounts.ts'
import { testPorts } from './test-ports.ts'

export type DeliveringSettings = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly smtpUrl: string
  readonly users: readonly { userId: string; username: string; email: string }[]
  /** How far its clock is ahead of the real one. */
  readonly aheadMs: number
}

/**
 * A server that sends to services on this machine, which no setting allows. Its parent ends it with SIGKILL, and gets the
 * URL in a message.
 */
async function deliver({ dataDir, databaseUrl, smtpUrl, users, aheadMs }: DeliveringSettings): Promise<void> {
  for (const user of users) register(user)
  const clock = movableClock()
  clock.moveAhead(aheadMs)
  const logger = pino({ level: 'silent' })
  const database = await openDatabase({ url: databaseUrl, dataDir }, logger)
  await makeTables(database)
  const services = {
    // 127.0.0.1 plays the public internet.
    lookup: async () => ['127.0.0.1'],
    allowAddress: () => true,
    allowPort: () => true,
  }
  const transport = smtpTransport({ url: smtpUrl, from: 'Marquee <marquee@example.org>' })
  const blobs = diskStore({ folder: join(dataDir, 'images'), random: systemRandom })
  const app = await buildApp({
    // All processes have the same key.
    ...testPorts(Buffer.alloc(32, 1)),
    clock,
    logger,
    database,
    blobs,
    trash: blobs,
    decoder: createImageDecoder({ logger }),
    parser: createParser({ logger }),
    mail: startMailQueue({
      clock,
      random: systemRandom,
      logger,
      database,
      transport,
      isOver: endedInvitations({ database, clock }),
    }),
    webhookFetch: services,
    pushFetch: { ...services, allowsHttp: true },
  })
  process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
}

await deliver(JSON.parse(process.argv[2] ?? '') as DeliveringSettings)
