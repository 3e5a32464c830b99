import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { PERSONAL_TOKENS } from '@marquee/contract/rules/personal-token'
import type { Database } from '@marquee/platform/database/database'
import { openDatabase } from '@marquee/platform/database/open'
import { ifAlone } from '@marquee/platform/database/schema-lock'
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
import { type Clock, systemClock } from '@marquee/platform/runtime/clock'
import { createLogger, type Logger } from '@marquee/platform/runtime/logger'
import { collectAtRest } from '@marquee/platform/runtime/idle-collection'
import { type Random, systemRandom } from '@marquee/platform/runtime/random'

import { buildApp } from './app.ts'
import { openBackupPlace } from './backup-place.ts'
import { startRegularBackup } from './backup/regular-backup.ts'
import { catalogueSourceOf, watchProvidersOf } from './settings/catalogue-settings.ts'
import { mediaFetchOf } from './settings/media-settings.ts'
import { endedInvitations } from './rooms/club/join-links/service.ts'
import { lockDataDir, openDataDir } from './data-dir.ts'
import { openImageStore } from './image-store.ts'
import { confirmInstallation, refuseLostDatabase } from './installation/installation.ts'
import { openTables } from './migrations/make-tables.ts'
import { messageTransport } from './message-transport.ts'
import {
  addressKey,
  imageNameKey,
  linkKey,
  mediaServerKey,
  pushKey,
  readMasterKeys,
  setupCode,
  unsubscribeKey,
  webhookKey,
} from './master-keys.ts'
import { createImageDecoder } from './rooms/movies/images/decoder.ts'
import { openMediaServer, openSeerr } from './rooms/movies/media-servers/service.ts'
import { createParser } from './parsing/parser.ts'
import { openAccounts } from './open-accounts.ts'
import { resealAtStart } from './sealed-columns.ts'
import { type Settings, vapidSubjectOf } from './settings/settings.ts'
import { watchInstance } from './watch-instance.ts'

const WEB_ROOT = join(import.meta.dirname, '../../web/dist')
const CLOSING_GRACE_MS = 500
/** Any number that no other program uses as an advisory lock in the same PostgreSQL database. */
const BACKUP_LOCK_ID = 7_216_834_504

/** What is open, and how it is closed. */
type Closers = (() => Promise<void>)[]

type Base = { readonly clock: Clock; readonly random: Random; readonly logger: Logger }

/**
 * Opens everything that the settings name, and listens. Returns the function that closes it all in reverse order, whether
 * the database was empty before, and the URL that creates the first account.
 */
export async function start(
  settings: Settings,
): Promise<{ close: () => Promise<void>; isNew: boolean; setupUrl: string }> {
  const closers: Closers = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const base = {
      clock: systemClock,
      random: systemRandom,
      logger: createLogger(settings.LOG_LEVEL, { secret: PERSONAL_TOKENS }),
    }
    const { isNew, ...stored } = await openStorage(settings, base, closers)
    const ports = { ...base, ...stored }
    const services = await openServices(settings, ports, closers)
    const masterKeys = await readMasterKeys(settings, ports.database)
    const { current: masterKey, previous: previousMasterKeys } = masterKeys
    const accounts = await openAccounts(settings, { ...ports, ...services, masterKey, previousMasterKeys }, closers)
    const leaving = new AbortController()
    let stopBackups = async (): Promise<void> => await Promise.resolve()
    const publicUrl = settings.PUBLIC_URL
    closers.push(resealAtStart(ports, masterKeys))
    const app = await buildApp({
      ...ports,
      ...services,
      ...openWorkers(base, closers),
      ...keysOf(settings, masterKeys),
      accounts,
      publicUrl,
      pushSubject: settings.VAPID_SUBJECT ?? vapidSubjectOf(publicUrl),
      setup: {
        setupCode: setupCode(masterKey),
        mailTransport: services.transport,
        hasMailServer: settings.SMTP_URL !== undefined,
      },
      watchProviders: watchProvidersOf(settings),
      allowGuests: settings.ALLOW_GUESTS === 'on',
      remotePosters: settings.REMOTE_POSTERS,
      trustedProxy: settings.TRUSTED_PROXY,
      webRoot: WEB_ROOT,
      leaving: leaving.signal,
      closingGraceMs: CLOSING_GRACE_MS,
    })
    // Ended after the app, so that an attempt that hangs does not keep `/readyz` from failing.
    closers.push(async () => await stopBackups())
    closers.push(async () => {
      leaving.abort()
      await pause(settings.SHUTDOWN_LEAD * 1000)
      await app.close()
    })
    if (services.metrics && settings.METRICS_PORT !== undefined) {
      const where = { port: settings.METRICS_PORT, host: settings.METRICS_HOST, logger: base.logger }
      closers.push(await serveMetrics(services.metrics, where))
    }
    const stopCollecting = collectAtRest()
    closers.push(async () => await Promise.resolve(stopCollecting()))
    stopBackups = await startBackups(settings, { ...ports, metrics: services.metrics })
    await app.listen({ port: settings.PORT, host: settings.HOST })
    return { close, isNew, setupUrl: `${publicUrl}/setup?code=${setupCode(masterKey)}` }
  } catch (error) {
    await close()
    throw error
  }
}

/** The database and the images of this installation, and whether the database was empty. */
async function openStorage(settings: Settings, { logger }: Base, closers: Closers) {
  let isNew = false
  await openDataDir(settings.DATA_DIR, console.log)
  const isAlone = settings.DATABASE_URL === undefined
  if (isAlone) {
    const release = lockDataDir(settings.DATA_DIR, `the server at port ${settings.PORT}`)
    closers.push(async () => await Promise.resolve(release()))
  }
  const database = await openDatabase({ url: settings.DATABASE_URL, dataDir: settings.DATA_DIR }, logger)
  closers.push(database.close)
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
  return { isNew, isAlone, database, ...images }
}

/** Mail, Redis with what processes share through it, and metrics. */
async function openServices(
  settings: Settings,
  ports: Base & Pick<Awaited<ReturnType<typeof openStorage>>, 'database' | 'isAlone'>,
  closers: Closers,
) {
  const transport = messageTransport(settings, console.log)
  const mail = startMailQueue({ ...ports, transport, isOver: endedInvitations(ports) })
  closers.push(mail.stop)
  const redis = settings.REDIS_URL === undefined ? undefined : await openRedis(settings.REDIS_URL, ports.logger)
  if (redis) closers.push(redis.close)
  const limiter = rateLimiter(settings, redis)
  const metrics = await openMetrics(settings)
  const watched = metrics && watchInstance(metrics, { database: ports.database, redis })
  const bus = redis ? await redisEventBus(redis, systemRandom) : localEventBus()
  return { transport, mail, limiter, metrics, bus, ...watched }
}

/** The scheduled backups, if they are set. Returns the function that ends them. */
async function startBackups(
  settings: Settings,
  {
    metrics,
    database,
    isAlone,
    ...base
  }: Base & {
    metrics: Metrics | undefined
    database: Database<unknown>
    isAlone: boolean
  },
): Promise<() => Promise<void>> {
  const { BACKUP_EVERY: everyMs, BACKUP_KEEP: keep, DATA_DIR: dataDir } = settings
  if (everyMs === undefined) return async () => await Promise.resolve()
  const ifNoOther = async (work: () => Promise<void>): Promise<boolean> => {
    if (!isAlone) return await ifAlone(database, BACKUP_LOCK_ID, work)
    await work()
    return true
  }
  const ports = { ...base, place: await openBackupPlace(settings) }
  const backups = startRegularBackup(ports, ifNoOther, { dataDir, everyMs, keep })
  metrics?.addGauge('backup_age_seconds', 'Seconds since the last verified backup of the schedule', backups.ageSeconds)
  return backups.stop
}

/** Processes and threads for what strangers send: images and documents. */
function openWorkers(ports: Base, closers: Closers) {
  const decoder = createImageDecoder(ports)
  closers.push(async () => await Promise.resolve(decoder.stop()))
  const parser = createParser(ports)
  closers.push(parser.stop)
  return { decoder, parser }
}

function keysOf(settings: Settings, { current, previous }: { current: Buffer; previous: Buffer[] }) {
  const masterKeys = [current, ...previous]
  const source = catalogueSourceOf(settings)
  const reach = mediaFetchOf(settings)
  return {
    imageNameKey: imageNameKey(current),
    addressKey: addressKey(current),
    webhookKeys: masterKeys.map(webhookKey),
    linkKeys: masterKeys.map(linkKey),
    pushKeys: masterKeys.map(pushKey),
    unsubscribeKeys: masterKeys.map(unsubscribeKey),
    // Addresses of posters are signed with the master key, which all processes have.
    catalogue: source && { source, masterKeys },
    mediaServers: reach && {
      reach,
      keys: masterKeys.map(mediaServerKey),
      open: openMediaServer,
      openRequests: openSeerr,
    },
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
