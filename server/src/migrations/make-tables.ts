import { identityMigrations } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { migrateAll, type MigrationHooks, type Migrations } from '@marquee/platform/database/migrate'
import { idempotencyMigrations } from '@marquee/platform/idempotency/migrations/index'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { systemClock } from '@marquee/platform/runtime/clock'

import { backUpBeforeMigration } from '../backup/before-migration.ts'
import { refuseWithoutRoom } from '../backup/room-for-migration.ts'
import { productMigrations } from './index.ts'
import type { Settings } from '../settings/settings.ts'
import { refuseUnfinishedMove } from './unfinished-move.ts'

/** The migrations of every part, in the order in which the parts are created. */
export const MIGRATIONS: Readonly<Record<string, Migrations>> = {
  mail: mailMigrations,
  idempotency: idempotencyMigrations,
  identity: identityMigrations,
  product: productMigrations,
}

/** Migrates the tables of every part. @throws SchemaTooNew, MigrationFailed */
export async function makeTables(database: Database<unknown>, hooks: MigrationHooks = {}): Promise<void> {
  await migrateAll(database, MIGRATIONS, hooks)
}

/**
 * `makeTables` for the database of the settings. An embedded one is backed up before its tables change.
 * @throws MoveUnfinished, SchemaTooNew, MigrationFailed
 */
export async function openTables(
  database: Database<unknown>,
  { DATABASE_URL: url, DATA_DIR: dataDir }: Settings,
  { beforeFirst, print }: Pick<MigrationHooks, 'beforeFirst'> & { print: (text: string) => void },
): Promise<void> {
  const beforeChange = async (changesRows: boolean): Promise<void> => {
    // A copy of PostgreSQL would take too long here, and processes of the version before go on (docs/operating.md).
    if (url !== undefined) return
    const size = await refuseWithoutRoom(dataDir, changesRows)
    print(`Copying the database before its upgrade: ${size} MB`)
    const path = await backUpBeforeMigration(dataDir, systemClock.now())
    print(`Bringing the database up to date. Its state from before is kept in ${path}`)
  }
  await makeTables(database, { ...(beforeFirst && { beforeFirst }), refuse: refuseUnfinishedMove, beforeChange, print })
}
