import type { Database } from '@marquee/platform/database/database'
import { WITHIN } from '@marquee/platform/testing/within'
import { sql } from 'kysely'
import { vi } from 'vitest'

export type Overtaken = {
  database: Database<unknown>
  /** Runs `act` once, before the next transaction begins: what it commits overtakes the call of that transaction. */
  before: (act: () => Promise<unknown>) => void
  /** Runs `act` once, after the last statement of the next transaction that succeeds and before its commit. */
  beforeCommit: (act: () => Promise<unknown>) => void
}

/** A database on which a test decides what happens between a first look at the data and the commit. */
export function overtaken(database: Database<unknown>): Overtaken {
  let first: (() => Promise<unknown>) | undefined
  let last: (() => Promise<unknown>) | undefined
  const wrapped: Database<unknown> = {
    ...database,
    transaction: async (work, options) => {
      const [begin, end] = [first, last]
      first = last = undefined
      await begin?.()
      if (!end) return await database.transaction(work, options)
      return await database.transaction(async (trx) => {
        const result = await work(trx)
        await end()
        return result
      })
    },
    withTables: <Other>() => wrapped as unknown as Database<Other>,
  }
  return {
    database: wrapped,
    before: (act) => void (first = act),
    beforeCommit: (act) => void (last = act),
  }
}

/** Waits on PostgreSQL until a transaction waits for a row of another. On SQLite one transaction at a time writes. */
export async function untilBlocked(database: Database<unknown>): Promise<void> {
  if (database.dialect === 'sqlite') return
  await vi.waitUntil(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database.read,
    )
    return rows.length > 0
  }, WITHIN)
}
