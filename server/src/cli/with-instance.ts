import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { PERSONAL_TOKENS } from '@marquee/contract/rules/personal-token'
import { createIdentity, type Entry, type Identity } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { openDatabase, OPERATOR_SILENCE_MS } from '@marquee/platform/database/open'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { mailForServer } from '@marquee/platform/mail/queue'
import { systemClock } from '@marquee/platform/runtime/clock'
import { createLogger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'
import { Refusal } from '@marquee/platform/runtime/refusal'
import { withoutPassword } from '@marquee/platform/runtime/without-password'

import { isOnAmazon } from '../amazon-accounts.ts'
import { openTables } from '../migrations/make-tables.ts'
import { readMasterKeys } from '../master-keys.ts'
import { PRODUCT_NAME } from '../texts/product-name.ts'
import { forgetTokens } from '../rooms/club/personal-tokens/service.ts'
import { findLanguage } from '../rooms/club/people/service.ts'
import { removePersonAt } from '../remove-person.ts'
import type { Settings } from '../settings/settings.ts'

/** Opens the database of the settings, also beside running servers, and closes it after the work. */
export async function withDatabase(
  settings: Settings,
  work: (database: Database<unknown>) => Promise<void>,
): Promise<void> {
  requireInstance(settings)
  const { DATABASE_URL: url, DATA_DIR: dataDir } = settings
  const where = { url, dataDir, silenceMs: OPERATOR_SILENCE_MS }
  const database = await openDatabase(where, createLogger(settings.LOG_LEVEL, { secret: PERSONAL_TOKENS }))
  try {
    const beforeFirst = async () => await Promise.reject(noInstance(settings))
    await openTables(database, settings, { beforeFirst, print: console.error })
    await work(database)
  } finally {
    await database.close()
  }
}

/** The same with the accounts of the built-in pool. */
export async function withInstance(
  settings: Settings,
  work: (instance: { database: Database<unknown>; identity: Identity }) => Promise<void>,
): Promise<void> {
  if (isOnAmazon(settings)) throw new Refusal('Accounts are kept by Amazon Cognito: use its console.')
  await withDatabase(settings, async (database) => {
    await work({ database, identity: await openIdentity(database, settings) })
  })
}

/** The user pool of an open database, as in the server, but the server sends its mails. */
export async function openIdentity(database: Database<unknown>, settings: Settings): Promise<Identity> {
  const ports = {
    clock: systemClock,
    random: systemRandom,
    logger: createLogger(settings.LOG_LEVEL, { secret: PERSONAL_TOKENS }),
  }
  const masterKeys = await readMasterKeys(settings, database)
  return await createIdentity({
    ...ports,
    database,
    mail: mailForServer(ports),
    masterKey: masterKeys.current,
    previousMasterKeys: masterKeys.previous,
    limiter: localRateLimiter(),
    onUserDeleted: removePersonAt(systemClock, systemRandom),
    onSessionsEnded: forgetTokens,
    languageOf: findLanguage,
    publicUrl: settings.PUBLIC_URL,
    productName: PRODUCT_NAME,
  })
}

/** @throws Refusal if no user has this username, address or id. */
export async function requireUser({ directory }: Identity, name: string): Promise<Entry> {
  const user = await directory.find(name)
  if (!user) throw new Refusal(`There is no user ${name}.`)
  return user
}

/** @throws Refusal if the settings name an embedded instance that does not exist, so that none is created by mistake. */
export function requireInstance(settings: Settings): void {
  if (settings.DATABASE_URL !== undefined || existsSync(join(settings.DATA_DIR, 'marquee.db'))) return
  throw noInstance(settings)
}

function noInstance({ DATABASE_URL: url, DATA_DIR: dataDir }: Settings): Refusal {
  const place = url === undefined ? dataDir : withoutPassword(url)
  return new Refusal(`There is no instance in ${place}. Set DATA_DIR or DATABASE_URL as its server has them.`)
}
