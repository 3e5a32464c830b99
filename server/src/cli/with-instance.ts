import type { Identity } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { SchemaTooNew } from '@marquee/platform/database/migrate'
import { openDatabase, OPERATOR_SILENCE_MS } from '@marquee/platform/database/open'
import { createLogger } from '@marquee/platform/runtime/logger'

import { isOnAmazon } from '../amazon-accounts.ts'
import { BackupDamaged } from '../backup/database-store.ts'
import { openTables } from '../make-tables.ts'
import { isMoveUnfinished, MoveUnfinished } from '../move/target-store.ts'
import type { Settings } from '../settings.ts'
import { NoInstance, noInstance, requireInstance } from './no-instance.ts'
import { openIdentity } from './open-identity.ts'

/** The command cannot be carried out. The message says why. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** The errors of `withDatabase` and `withInstance` that are for the operator. */
export const REFUSALS = [Refused, NoInstance, MoveUnfinished, SchemaTooNew, BackupDamaged]

/** Opens the database of the settings, also beside running servers, and closes it after the work. */
export async function withDatabase(
  settings: Settings,
  work: (database: Database<unknown>) => Promise<void>,
): Promise<void> {
  requireInstance(settings)
  const { DATABASE_URL: url, DATA_DIR: dataDir } = settings
  const where = { url, dataDir, silenceMs: OPERATOR_SILENCE_MS }
  const database = await openDatabase(where, createLogger(settings.LOG_LEVEL))
  try {
    if (await isMoveUnfinished(database)) throw new MoveUnfinished()
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
  if (isOnAmazon(settings)) throw new Refused('Accounts are kept by Amazon Cognito: use its console.')
  await withDatabase(settings, async (database) => {
    await work({ database, identity: await openIdentity(database, settings) })
  })
}
