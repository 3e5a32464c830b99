import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { PERSONAL_TOKENS } from '@marquee/contract/rules/personal-token'
import { SchemaTooNew } from '@marquee/platform/database/migrate'
import { openDatabase } from '@marquee/platform/database/open'
import { localEventBus } from '@marquee/platform/events/bus'
import { redisEventBus } from '@marquee/platform/events/redis-bus'
import {
  localRateLimiter,
  noRateLimiter,
  type RateLimiter,
  redisRateLimiter,
} from '@marquee/platform/limits/rate-limiter'
import type { Metrics } from '@marquee/platform/metrics/metrics'
import { serveMetrics } from '@marquee/platform/metrics/metrics-server'
import { startMailQueue } from '@marquee/platform/mail/queue'
import { openRedis, type RedisConnections } from '@marquee/platform/redis/open'
import { systemClock } from '@marquee/platform/runtime/clock'
import { createLogger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'
import { SettingsError } from '@marquee/platform/runtime/settings'
import { StartRefusal } from '@marquee/platform/runtime/start-refusal'

import { isOnAmazon } from './amazon-accounts.ts'
import { buildApp } from './app.ts'
import { BackupDamaged } from './backup/database-store.ts'
import { catalogueSourceOf } from './settings/catalogue-settings.ts'
import { keepFilesPrivate, lockDataDir, openDataDir } from './data-dir.ts'
import { openImageStore } from './image-store.ts'
import { confirmInstallation, refuseLostDatabase } from './installation/installation.ts'
import { openTables } from './migrations/make-tables.ts'
import { messageTransport } from './message-transport.ts'
import {
  addressKey,
  imageNameKey,
  pushKey,
  readMasterKeys,
  setupCode,
  unsubscribeKey,
  webhookKey,
} from './master-keys.ts'
import { createImageDecoder } from './rooms/movies/images/decoder.ts'
import { createParser } from './parsing/parser.ts'
import { isMoveUnfinished, MoveUnfinished } from './move/target-store.ts'
import { openAccounts } from './open-accounts.ts'
import { PRODUCT_NAME } from './texts/product-name.ts'
import { readServerSettings, type Settings, vapidSubjectOf } from './settings/settings.ts'
import { explainStartFailure } from './start-failure.ts'
import { watchInstance } from './watch-instance.ts'

const WEB_ROOT = join(import.meta.dirname, '../../web/dist')
const wasLinked = process.connected
/** A shutdown that takes longer is cut short. */
const SHUTDOWN_MS = 10_000
const CLOSING_GRACE_MS = 500
/** npm and the terminal pass on the same Ctrl+C several times; after this time it is a second request. */
const SAME_REQUEST_MS = 1_000
/** Errors whose message is for the operator. */
const REFUSALS = [SettingsError, StartRefusal, MoveUnfinished, SchemaTooNew, BackupDamaged]

/**
 * Opens everything that the settings name, and listens. Returns the function that closes it all in reverse order, whether
 * the database was empty before, and the URL that creates the first account.
 */
async function start(settings: Settings): Promise<{ close: () => Promise<void>; isNew: boolean; setupUrl: string }> {
  let isNew = false
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const ports = {
      clock: systemClock,
      random: systemRandom,
      logger: createLogger(settings.LOG_LEVEL, { secret: PERSONAL_TOKENS }),
    }
    await openDataDir(settings.DATA_DIR, console.log)
    const isAlone = settings.DATABASE_URL === undefined
    if (isAlone) {
      const release = lockDataDir(settings.DATA_DIR, `the server at port ${settings.PORT}`)
      closers.push(async () => {
        await Promise.resolve(release())
      })
    }
    const database = await openDatabase({ url: settings.DATABASE_URL, dataDir: settings.DATA_DIR }, ports.logger)
    closers.push(database.close)
    if (await isMoveUnfinished(database)) throw new MoveUnfinished()
    const images = await openImageStore(settings)
    const places = { dataDir: settings.DATA_DIR, blobs: images.blobs }
    await openTables(database, settings, {
      beforeFirst: async () => {
        await refuseLostDatabase(settings, places)
        isNew = true
      },
      print: console.log,
    })
    await confirmInstallation(database, places)

    const transport = messageTransport(settings, console.log)
    const mail = startMailQueue({ ...ports, database, transport, isAlone })
    closers.push(mail.stop)

    const redis = settings.REDIS_URL === undefined ? undefined : await openRedis(settings.REDIS_URL, ports.logger)
    if (redis) closers.push(redis.close)
    const limiter = rateLimiter(settings, redis)
    const metrics = await openMetrics(settings)
    const watched = metrics && watchInstance(metrics, { database, redis })
    const publicUrl = settings.PUBLIC_URL
    const bus = redis ? await redisEventBus(redis, systemRandom) : localEventBus()
    const { current: masterKey, previous: previousMasterKeys } = await readMasterKeys(settings, database)
    const accounts = await openAccounts(
      settings,
      { ...ports, database, mail, limiter, bus, ...watched, masterKey, previousMasterKeys },
      closers,
    )
    const source = catalogueSourceOf(settings)
    // Addresses of posters are signed with the master key, which all processes have.
    const catalogue = source && { source, masterKeys: [masterKey, ...previousMasterKeys] }
    const leaving = new AbortController()
    const decoder = createImageDecoder(ports)
    closers.push(async () => {
      await Promise.resolve(decoder.stop())
    })
    const parser = createParser(ports)
    closers.push(parser.stop)
    const app = await buildApp({
      ...ports,
      database,
      ...images,
      decoder,
      parser,
      imageNameKey: imageNameKey(masterKey),
      addressKey: addressKey(masterKey),
      webhookKeys: [masterKey, ...previousMasterKeys].map(webhookKey),
      pushKeys: [masterKey, ...previousMasterKeys].map(pushKey),
      unsubscribeKeys: [masterKey, ...previousMasterKeys].map(unsubscribeKey),
      setup: {
        setupCode: setupCode(masterKey),
        mailTransport: transport,
        hasMailServer: settings.SMTP_URL !== undefined,
      },
      pushSubject: settings.VAPID_SUBJECT ?? vapidSubjectOf(publicUrl),
      bus,
      limiter,
      accounts,
      allowGuests: settings.ALLOW_GUESTS === 'on',
      mail,
      catalogue,
      publicUrl,
      remotePosters: settings.REMOTE_POSTERS,
      metrics,
      trustedProxy: settings.TRUSTED_PROXY,
      webRoot: WEB_ROOT,
      leaving: leaving.signal,
      closingGraceMs: CLOSING_GRACE_MS,
    })
    closers.push(async () => {
      leaving.abort()
      await pause(settings.SHUTDOWN_LEAD * 1000)
      await app.close()
    })
    if (metrics && settings.METRICS_PORT !== undefined) {
      const where = { port: settings.METRICS_PORT, host: settings.METRICS_HOST, logger: ports.logger }
      closers.push(await serveMetrics(metrics, where))
    }
    await app.listen({ port: settings.PORT, host: settings.HOST })
    return { close, isNew, setupUrl: `${publicUrl}/setup?code=${setupCode(masterKey)}` }
  } catch (error) {
    await close()
    throw error
  }
}

/** The library is loaded only if metrics are on. */
async function openMetrics({ METRICS_PORT }: Settings): Promise<Metrics | undefined> {
  if (METRICS_PORT === undefined) return undefined
  const { createMetrics } = await import('@marquee/platform/metrics/metrics')
  return createMetrics()
}

function rateLimiter({ RATE_LIMITS }: Settings, redis: RedisConnections | undefined): RateLimiter {
  if (RATE_LIMITS === 'on') return redis ? redisRateLimiter(redis.commands) : localRateLimiter()
  console.warn('RATE_LIMITS is off: the number of calls is not limited. This is for load tests only.')
  return noRateLimiter
}

/**
 * On a signal, or when the parent process with an IPC channel is gone: finishes running requests and exits. Exits at once
 * after a time limit or on a second signal.
 */
function closeOnRequest(close: () => Promise<void>, mostMs: number): void {
  let askedAt: number | undefined
  const leave = (): void => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > SAME_REQUEST_MS) process.exit(1)
      return
    }
    askedAt = performance.now()
    setTimeout(() => {
      console.error('Some requests did not finish in time.')
      process.exit(1)
    }, mostMs).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, leave)
  process.on('disconnect', leave)
  // The parent ended before this listener was added.
  if (wasLinked && !process.connected) leave()
}

async function main(): Promise<void> {
  keepFilesPrivate()
  let settings: Settings | undefined
  try {
    settings = readServerSettings(process.env)
    const { close, isNew, setupUrl } = await start(settings)
    closeOnRequest(close, settings.SHUTDOWN_LEAD * 1000 + SHUTDOWN_MS)
    console.log(`${PRODUCT_NAME} is open at ${settings.PUBLIC_URL}`)
    if (isNew && !isOnAmazon(settings)) {
      console.log(`No one has an account yet. Create the first one at ${setupUrl}`)
    }
    if (settings.SMTP_URL === undefined) {
      console.log(`Mail is printed here and written to ${join(settings.DATA_DIR, 'outbox')}.`)
    }
  } catch (error) {
    const sentence =
      REFUSALS.some((kind) => error instanceof kind) && error instanceof Error
        ? error.message
        : settings && explainStartFailure(error, settings)
    console.error(sentence ?? error)
    // Exits at once: an open connection would keep the process alive for as long as the other side likes.
    process.exit(1)
  }
}

await main()
