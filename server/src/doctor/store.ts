import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'

/** The names of all tables. */
export async function listTables(db: AnyDb): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** The migrations of one part that have run. Its table must exist. */
export async function readMigrations(db: AnyDb, part: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(`${part}_migration`)}`.execute(
    withTables<unknown>(db),
  )
  return rows.map(({ name }) => name)
}

/** What PostgreSQL says about itself: its version, and the time in milliseconds since 1970. */
export async function askPostgres(db: AnyDb): Promise<{ version: string; time: number }> {
  const { rows } = await sql<{ version: string; time: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
    cast(extract(epoch from clock_timestamp()) * 1000 as float8) as time`.execute(withTables<unknown>(db))
  const [row] = rows
  if (!row) throw new Error('it does not say its version')
  return row
}
