import { sql } from 'kysely'

import { migrateAll, type Migrations } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'

import { MIGRATIONS } from '../../migrations/make-tables.ts'

const OF_MIGRATIONS = /_migration$/u

/** Copies an embedded database of a past version to an empty PostgreSQL database, with the tables that it had. */
export async function copyTables(file: string, url: string): Promise<void> {
  const from = openSqlite(file)
  const to = openPostgres(url, { onIdleError: () => undefined })
  const rowsOf = async (table: string) =>
    (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(from.read)).rows
  const earlier: Record<string, Migrations> = {}
  for (const [set, migrations] of Object.entries(MIGRATIONS)) {
    const done = new Set((await rowsOf(`${set}_migration`)).map(({ name }) => name))
    earlier[set] = Object.fromEntries(Object.entries(migrations).filter(([name]) => done.has(name)))
  }
  await migrateAll(to, earlier)
  const tables = await to.schema.introspection.getTables()
  await to.schema.transaction().execute(async (trx) => {
    // Neither triggers nor foreign keys: each row is there as it was.
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const { name } of tables.filter((table) => !OF_MIGRATIONS.test(table.name))) {
      for (const row of await rowsOf(name)) {
        const columns = Object.keys(row).map((column) => sql.ref(column))
        await sql`insert into ${sql.table(name)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
          trx,
        )
      }
    }
  })
  await from.close()
  await to.close()
}
