import { type Migration, Migrator } from 'kysely/migration'

import type { Database } from './database.ts'

/** Migrations by name, in order; names sort as they run. Once landed, one never changes. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Brings one part's tables (`set`, say `product`) up to date: forward only, in one transaction, under a lock, so that
 * processes starting together migrate once and a failed migration leaves everything as it was.
 */
export async function migrate(database: Database<unknown>, set: string, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({
    db: database.schema,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: `${set}_migration`,
    migrationLockTableName: `${set}_migration_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error(`The ${set} tables could not be brought up to date`, { cause: error })
}
