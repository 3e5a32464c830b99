import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { codeOf, reasonOf } from '../runtime/reason-of.ts'
import type { Database } from './database.ts'
import { type Filled, MigrationFailed, type Step } from './migration.ts'
import {
  createIndexConcurrently,
  readUnfinished,
  removeIndexConcurrently,
  removeUnfinished,
  savePlace,
  waitForLocks,
} from './migration-store.ts'

/**
 * How long a migration waits for locks that requests have. Shorter than the second after which PostgreSQL looks for a
 * deadlock, so that the migration gives way and no request fails. Everything else waits behind it for that long.
 */
export const LOCK_MS = 500
/** Now and then a migration waits longer: after a second PostgreSQL stops an automatic vacuum that is in its way. */
const LONG_LOCK_MS = 1_500
const LONG_EVERY = 10
const ATTEMPTS = 600
/** Between two attempts, requests catch up. */
const PAUSE_MS = { least: 500, most: 1_500 }
/** Deadlock, lock timeout, statement timeout: the time limits of `waitForLocks` and `lockTables`. */
const BLOCKED = new Set<string | undefined>(['40P01', '55P03', '57014'])
const ROWS_PER_LINE = 50_000

/** Repeats a transaction while requests are in its way. */
export async function untilNotBlocked<T>(work: (waitMs: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt % LONG_EVERY === 0 ? LONG_LOCK_MS : LOCK_MS)
    } catch (error) {
      if (attempt === ATTEMPTS || !BLOCKED.has(codeOf(error))) throw error
      await pause(randomInt(PAUSE_MS.least, PAUSE_MS.most))
    }
  }
}

/**
 * Runs what is left of migrations on PostgreSQL whose `up` is committed, beside requests. It continues where an earlier
 * process stopped.
 * @throws MigrationFailed
 */
export async function finishMigrations(
  database: Database<unknown>,
  steps: readonly Step[],
  print: (text: string) => void,
): Promise<void> {
  const unfinished = await readUnfinished(database.schema)
  for (const step of steps) {
    const left = unfinished.find(({ part, name }) => part === step.set && name === step.name)
    if (left === undefined) continue
    try {
      await finish(database, { ...step, place: left.place ?? undefined }, print)
    } catch (error) {
      throw new MigrationFailed(
        `The database could not be brought up to date: ${reasonOf(error)} (in ${step.set} ${step.name}). ` +
          'Its tables are those of this version, and no row is lost. Remove the cause and start again: it goes on from there.',
        { cause: error },
      )
    }
  }
}

async function finish(
  { schema }: Database<unknown>,
  { set, name, migration, place: first }: Step & { place: string | undefined },
  print: (text: string) => void,
): Promise<void> {
  const { backfill, indexes = [], removedIndexes = [] } = migration
  print(`Bringing the database up to date beside running requests: ${set} ${name}`)
  const report = reportRows(print)
  for (let place = first, isOver = backfill === undefined; !isOver && backfill;) {
    const filled = await untilNotBlocked(
      async (waitMs) =>
        await schema.transaction().execute(async (trx) => {
          await waitForLocks(trx, waitMs)
          const batch = await backfill(trx, place)
          if (batch.place !== undefined) await savePlace(trx, set, name, batch.place)
          return batch
        }),
    )
    report(filled)
    place = filled.place
    isOver = place === undefined
  }
  for (const index of indexes) {
    print(`  index ${index.name}`)
    await untilNotBlocked(async () => await createIndexConcurrently(schema, index))
  }
  for (const index of removedIndexes) {
    await untilNotBlocked(async () => await removeIndexConcurrently(schema, index))
  }
  await removeUnfinished(schema, set, name)
}

/** Returns a function that counts filled rows and prints a line after each so many. */
export function reportRows(print: (text: string) => void): (filled: Filled) => void {
  let rows = 0
  return (filled) => {
    const before = rows
    rows += filled.rows
    if (Math.floor(rows / ROWS_PER_LINE) > Math.floor(before / ROWS_PER_LINE)) print(`  ${rows} rows`)
  }
}
