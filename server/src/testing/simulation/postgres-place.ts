import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import type { AnyDb, Database } from '@marquee/platform/database/database'
import { openPostgres } from '@marquee/platform/database/postgres'
import { PreparingClient } from '@marquee/platform/database/preparing-client'

import { makeTables } from '../../migrations/make-tables.ts'
import { installChangeLog } from './change-log.ts'
import { type Fault, type Step, stepOf } from './faults.ts'
import { type Place, type Process, startRun } from './place.ts'

const CUTS: readonly Fault[] = ['is cut off before', 'is cut off under way', 'is killed before', 'is killed after']
const FAULTS: Record<Step, readonly Fault[]> = {
  begin: CUTS,
  savepoint: ['fails', 'is in conflict', ...CUTS],
  statement: ['fails', 'is in conflict', ...CUTS],
  release: ['fails', 'is in conflict', ...CUTS],
  rollback: CUTS,
  commit: ['fails', 'is in conflict', 'is cut off after', ...CUTS],
}
const [DISK_FULL, SERIALIZATION_FAILURE] = ['53100', '40001']
const LOOK_AGAIN_MS = 5

/** Seeds on one PostgreSQL database, each with its own watchlist. */
export async function postgresPlace(url: string): Promise<Place> {
  const observing = openPostgres(url, { onIdleError: () => undefined })
  await makeTables(observing)
  await installChangeLog(observing.schema)
  return {
    begin: async (seed) =>
      await startRun({
        ...seed,
        processes: 2,
        open: (process) => ({
          database: open(url, process),
          observer: observing.read,
          close: () => undefined,
        }),
        untilQuiet,
      }),
    remove: observing.close,
  }
}

function open(url: string, process: Process): Database<unknown> {
  const clients = new Set<PreparingClient>()
  const cutAll = (): void => {
    for (const client of clients) client.connection.stream.destroy()
    process.kill()
  }

  class FaultyClient extends PreparingClient {
    override query(...given: unknown[]): unknown {
      clients.add(this)
      const { stream } = this.connection
      if (process.isDead()) stream.destroy()
      const step = stepOf(String(given[0]))
      const fault = process.draw(step, FAULTS[step])
      if (fault === 'fails') return super.query(...failing(DISK_FULL, given))
      if (fault === 'is in conflict') return super.query(...failing(SERIALIZATION_FAILURE, given))
      if (fault === 'is cut off after') return this.#loseAnswer(given)
      if (fault === 'is cut off before') stream.destroy()
      if (fault === 'is cut off under way') setImmediate(() => stream.destroy())
      if (fault === 'is killed before') cutAll()
      if (fault === 'is killed after') setImmediate(cutAll)
      return super.query(...given)
    }

    async #loseAnswer(given: unknown[]): Promise<never> {
      await super.query(...given)
      this.connection.stream.destroy()
      throw new Error('Connection terminated unexpectedly')
    }
  }

  return openPostgres(url, { onIdleError: () => undefined, Client: FaultyClient })
}

/** A statement that fails with this code, instead of the given one. */
function failing(code: string | undefined, given: unknown[]): unknown[] {
  const statement = `do $$ begin raise exception using errcode = '${code}', message = 'a fault of the simulation'; end $$`
  return [statement, ...given.filter((one) => typeof one === 'function')]
}

/** PostgreSQL may still be working for a broken connection. */
async function untilQuiet(observer: AnyDb): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`.execute(observer)
    if (rows.length === 0) return
    await pause(LOOK_AGAIN_MS)
  }
}
