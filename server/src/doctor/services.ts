import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Database } from '@marquee/platform/database/database'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { trySmtp } from '@marquee/platform/mail/smtp-transport'
import { openRedis } from '@marquee/platform/redis/open'
import type { Clock } from '@marquee/platform/runtime/clock'
import { createLogger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import { codeOf, reasonOf } from '@marquee/platform/runtime/reason-of'
import { withoutPassword } from '@marquee/platform/runtime/without-password'

import { openImageStore } from '../image-store.ts'
import { findMasterKeys, pushKey } from '../master-keys.ts'
import { openWatchProviders } from '../rooms/movies/catalogue/watch-providers.ts'
import { openLookup } from '../rooms/movies/catalogue/lookup.ts'
import { SourceUnavailable } from '../rooms/movies/catalogue/source.ts'
import { readFilmItems } from '../rooms/movies/catalogue/wikidata-items.ts'
import { isKeyPairReadable } from '../rooms/news/push/service.ts'
import { catalogueSourceOf, watchProvidersOf } from '../settings/catalogue-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { userAgentOf } from '../texts/product-name.ts'
import { type Finding, ok, problem, unused, warning } from './finding.ts'
import { listTables } from './store.ts'

/** Writes, reads and deletes a small file where images are kept. */
export async function checkImages(settings: Settings, random: Random): Promise<Finding> {
  const place = settings.S3_BUCKET === undefined ? join(settings.DATA_DIR, 'images') : `Bucket ${settings.S3_BUCKET}`
  if (settings.S3_BUCKET === undefined && !existsSync(place))
    return warning(`There is no folder ${place} yet. The first start makes it; otherwise mount or restore it.`)
  const { blobs } = await openImageStore(settings)
  // Neither a sweep nor a page takes it for an image. It is in the same sub-folder as the id of the installation.
  const name = `installation-probe-${random.uuid()}`
  const written = Buffer.from(random.uuid())
  try {
    await blobs.put(name, written)
    const read = await blobs.get(name)
    if (!read?.equals(written)) return problem(`${place} does not give back what was written to it. Repair it.`)
  } catch (error) {
    return problem(`${place} cannot be used: ${reasonOf(error)}. Allow these keys, or this user, to read and write.`)
  } finally {
    await blobs.delete(name).catch(() => undefined)
  }
  if (await blobs.has(name)) return problem(`${place} does not delete files. Allow these keys to delete.`)
  return ok(`${place} can be written, read and deleted.`)
}

/** Whether Redis answers and takes the login. */
export async function checkRedis({ REDIS_URL: url }: Settings): Promise<Finding> {
  if (url === undefined) return unused('REDIS_URL is not set. One process needs no Redis.')
  const redis = await openRedis(url, createLogger('silent'))
  await redis.close()
  return ok(`${withoutPassword(url)} answers.`)
}

/** Connects to the mail server and signs in, without sending. */
export async function checkMail({ SMTP_URL: url, DATA_DIR: dataDir }: Settings): Promise<Finding> {
  if (url === undefined) return unused(`SMTP_URL is not set. Mails go to ${join(dataDir, 'outbox')} only.`)
  const shown = withoutPassword(url)
  try {
    await trySmtp(url)
  } catch (error) {
    const advice =
      codeOf(error) === 'EAUTH'
        ? 'Correct user and password in SMTP_URL'
        : 'Correct SMTP_URL, or look at the mail server'
    return problem(`${shown} cannot be used: ${reasonOf(error)}. ${advice}.`)
  }
  return ok(`${shown} answers${hasLogin(url) ? ' and accepts the login' : ''}. Nothing was sent.`)
}

/** Whether the master key opens the key pair that push services know. */
export async function checkPush(settings: Settings, open: () => Promise<Database<unknown>>): Promise<Finding> {
  // The check of the database says why.
  const database = await open().catch(() => undefined)
  if (!database || !(await listTables(database.read)).has('push_key'))
    return unused('Known when the database can be read and has its tables.')
  const { current, previous } = await findMasterKeys(settings)
  const isReadable = await isKeyPairReadable(database.read, { pushKeys: [current, ...previous].map(pushKey) })
  if (isReadable === undefined) return unused('No one has turned on push messages yet.')
  return isReadable
    ? ok('The master key opens the keys of push messages.')
    : problem(
        'The master key does not open the keys of push messages. Give the earlier one as MASTER_KEYS_PREVIOUS; ' +
          'otherwise every device has to subscribe again.',
      )
}

/** Asks the catalogue for a film, and the source of offers for its services. */
export async function checkCatalogue(settings: Settings, clock: Clock, signal: AbortSignal): Promise<Finding> {
  const ports = { limiter: noRateLimiter, clock, userAgent: userAgentOf(settings.PUBLIC_URL) }
  const source = catalogueSourceOf(settings)
  const providers = watchProvidersOf(settings)
  if (!source && !providers) return unused('CATALOGUE and WATCH_PROVIDERS are off.')
  const answering: string[] = []
  try {
    if (source) {
      const lookup = openLookup(
        { source },
        {
          ...ports,
          parsePage: async () => await Promise.resolve(undefined),
          parseFilms: async (body) => await Promise.resolve(readFilmItems(body)),
        },
      )
      await lookup.search('Alien 1979', 'en', signal)
      answering.push(lookup.source)
    }
    if (providers) {
      await openWatchProviders(providers, ports).servicesOf('DE', signal)
      answering.push('the source of offers')
    }
  } catch (error) {
    if (!(error instanceof SourceUnavailable)) throw error
    const isRefused = /answered 40[13]/u.test(error.message)
    const said = `The catalogue does not answer as it should: ${error.message}`
    if (isRefused) return problem(`${said}. Correct TMDB_TOKEN.`)
    return warning(`${said}. Searches fail meanwhile; npm run marquee -- catalogue check says more.`)
  }
  return ok(`Answers: ${answering.join(' and ')}.`)
}

function hasLogin(url: string): boolean {
  return new URL(url).username !== ''
}
