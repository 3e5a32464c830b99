import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { reasonOf } from '../runtime/reason-of.ts'
import type { Database } from './database.ts'
import { addDone, readDone } from './migration-store.ts'
import { underSchemaLock } from './schema-lock.ts'

/** Migrations by name; they run in the order of their names. A migration never changes once it is on `main`. */
export type Migrations = Readonly<Record<string, Migration>>

/** A newer version of the program has migrated the database. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew'
}

/** A migration failed and changed nothing. The message says why, and what to do. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
}

/** Both run under the lock. If one rejects, nothing is changed. */
export type MigrationHooks = {
  /** Runs before the first tables are created in an empty database. */
  beforeFirst?: () => Promise<void>
  /** Runs before existing tables are changed. */
  beforeChange?: () => Promise<void>
}

type Step = { set: string; name: string; migration: Migration }

/**
 * Migrates the tables of all parts (such as `product`) to the newest version, in one transaction and under a lock. So
 * processes that start together migrate once, and a failed migration changes nothing.
 * @throws SchemaTooNew if a newer version has migrated the database
 * @throws MigrationFailed
 */
export async function migrateAll(
  database: Database<unknown>,
  sets: Readonly<Record<string, Migrations>>,
  { beforeFirst, beforeChange }: MigrationHooks = {},
): Promise<void> {
  await underSchemaLock(database, async (trx) => {
    const pending: Step[] = []
    let isNew = true
    for (const [set, migrations] of Object.entries(sets)) {
      const done = await readDone(trx, set)
      if (done.length > 0) isNew = false
      pending.push(...stepsAfter(done, set, migrations))
    }
    if (pending.length > 0) await (isNew ? beforeFirst : beforeChange)?.()
    for (const step of pending) await run(trx, step)
  })
}

/** `migrateAll` for one part. */
export async function migrate(database: Database<unknown>, set: string, migrations: Migrations): Promise<void> {
  await migrateAll(database, { [set]: migrations })
}

function stepsAfter(done: readonly string[], set: string, migrations: Migrations): Step[] {
  const unknown = done.find((name) => !Object.hasOwn(migrations, name))
  if (unknown !== undefined) {
    throw new SchemaTooNew(
      `The database was brought up to date by a newer version of this program (${set}: ${unknown}). ` +
        'Start that version, or restore the backup from before the upgrade.',
    )
  }
  return Object.entries(migrations)
    .filter(([name]) => !done.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, migration]) => ({ set, name, migration }))
}

async function run(trx: Kysely<unknown>, { set, name, migration }: Step): Promise<void> {
  try {
    await migration.up(trx)
    await addDone(trx, set, name)
  } catch (error) {
    throw new MigrationFailed(
      `The database could not be brought up to date: ${reasonOf(error)} (in ${set} ${name}). Nothing in it was changed. ` +
        'Remove the cause and start again, or go on with the version that ran before.',
      { cause: error },
    )
  }
}
