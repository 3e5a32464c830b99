import type { Kysely } from 'kysely'

import { reasonOf } from '../runtime/reason-of.ts'
import { Refusal } from '../runtime/refusal.ts'
import type { Database } from './database.ts'
import { finishMigrations, reportRows, untilNotBlocked } from './finish-migrations.ts'
import { hasMore, MigrationFailed, type Migrations, type Step } from './migration.ts'
import { addDone, addUnfinished, createIndex, lockTables, readDone, removeIndex } from './migration-store.ts'
import { underSchemaLock, underUpgradeLock, underWriteLock } from './schema-lock.ts'

export { type Filled, type Migration, MigrationFailed, type Migrations } from './migration.ts'

/** A newer version of the program has migrated the database. */
export class SchemaTooNew extends Refusal {
  override readonly name = 'SchemaTooNew'
}

/** If a hook rejects, nothing is changed. */
export type MigrationHooks = {
  /** Runs behind the lock, also if there is nothing to migrate. Rejects if the database must not be used. */
  refuse?: (trx: Kysely<unknown>) => Promise<void>
  /** Runs before the first tables are created in an empty database. */
  beforeFirst?: () => Promise<void>
  /** Runs before existing tables are changed. `changesRows` says whether rows are filled or indexed, too. */
  beforeChange?: (changesRows: boolean) => Promise<void>
  /** Gets a line for each part of a long migration. */
  print?: (text: string) => void
}

type Sets = Readonly<Record<string, Migrations>>

/**
 * Migrates the tables of all parts (such as `product`) to the newest version, under a lock. So processes that start together
 * migrate once, and a migration that fails before its tables are committed changes nothing.
 *
 * On SQLite and in an empty database everything is one transaction. On PostgreSQL, where processes of the previous version
 * serve meanwhile, the tables are changed in one short transaction. Backfills and indexes follow after its commit.
 * @throws SchemaTooNew if a newer version has migrated the database
 * @throws MigrationFailed
 */
export async function migrateAll(database: Database<unknown>, sets: Sets, hooks: MigrationHooks = {}): Promise<void> {
  const { print = () => undefined } = hooks
  const prepare = prepareOnce(sets, hooks)
  if (database.dialect === 'sqlite') {
    await underWriteLock(database, async (trx) => {
      const { pending, isNew } = await prepare(trx)
      await runCompletely(trx, pending, isNew ? () => undefined : print)
    })
    return
  }
  await underUpgradeLock(database, async () => {
    await untilNotBlocked(async (waitMs) => {
      await underSchemaLock(database, async (trx) => {
        const { pending, isNew } = await prepare(trx)
        if (isNew) await runCompletely(trx, pending, () => undefined)
        else await changeTables(trx, pending, waitMs)
      })
    })
    await finishMigrations(database, stepsOf(sets), print)
  })
}

/** `migrateAll` for one part. */
export async function migrate(database: Database<unknown>, set: string, migrations: Migrations): Promise<void> {
  await migrateAll(database, { [set]: migrations })
}

/** Finds the pending migrations. The hooks run only once, however often the transaction is repeated. */
function prepareOnce(
  sets: Sets,
  { refuse, beforeFirst, beforeChange }: MigrationHooks,
): (trx: Kysely<unknown>) => Promise<{ pending: Step[]; isNew: boolean }> {
  let isPrepared = false
  return async (trx) => {
    await refuse?.(trx)
    const pending: Step[] = []
    let isNew = true
    for (const [set, migrations] of Object.entries(sets)) {
      const done = await readDone(trx, set)
      if (done.length > 0) isNew = false
      pending.push(...stepsAfter(done, set, migrations))
    }
    if (pending.length > 0 && !isPrepared) {
      if (isNew) await beforeFirst?.()
      else await beforeChange?.(pending.some(hasMore))
    }
    isPrepared = true
    return { pending, isNew }
  }
}

function stepsOf(sets: Sets): Step[] {
  return Object.entries(sets).flatMap(([set, migrations]) => stepsAfter([], set, migrations))
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

/** Runs every part of the migrations, one migration after the other. */
async function runCompletely(
  trx: Kysely<unknown>,
  steps: readonly Step[],
  print: (text: string) => void,
): Promise<void> {
  for (const [n, step] of steps.entries()) {
    const { backfill, indexes = [], removedIndexes = [] } = step.migration
    if (hasMore(step)) print(`Bringing the database up to date: ${step.set} ${step.name} (${n + 1} of ${steps.length})`)
    await orFail(step, async () => {
      await step.migration.up(trx)
      const report = reportRows(print)
      for (let filled = await backfill?.(trx, undefined); filled;) {
        report(filled)
        filled = filled.place === undefined ? undefined : await backfill?.(trx, filled.place)
      }
      for (const index of indexes) await createIndex(trx, index)
      for (const index of removedIndexes) await removeIndex(trx, index)
      await addDone(trx, step.set, step.name)
    })
  }
}

/** Runs the first part of the migrations, and records what is left of each. */
async function changeTables(trx: Kysely<unknown>, steps: readonly Step[], waitMs: number): Promise<void> {
  if (steps.length === 0) return
  await lockTables(trx, [...new Set(steps.flatMap(({ migration }) => migration.changes ?? []))], waitMs)
  for (const step of steps) {
    await orFail(step, async () => {
      await step.migration.up(trx)
      await addDone(trx, step.set, step.name)
      if (hasMore(step)) await addUnfinished(trx, step.set, step.name)
    })
  }
}

async function orFail({ set, name }: Step, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new MigrationFailed(
      `The database could not be brought up to date: ${reasonOf(error)} (in ${set} ${name}). Nothing in it was changed. ` +
        'Remove the cause and start again, or go on with the version that ran before.',
      { cause: error },
    )
  }
}
