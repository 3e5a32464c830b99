import { sql } from 'kysely'

import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { migrate, type Migrations } from '../database/migrate.ts'

const ROWS = 20_000

/** A table with many rows, and a second migration that would count them twice if it ran twice. */
const slowMigrations: Migrations = {
  '0001_many': {
    up: async (db) => {
      await sql`create table many (id integer primary key, n integer not null)`.execute(db)
      await sql`insert into many with recursive row(id) as (select 1 union all select id + 1 from row where id < ${sql.lit(ROWS)}) select id, 0 from row`.execute(
        db,
      )
    },
  },
  '0002_count': { up: async (db) => void (await sql`update many set n = n + 1`.execute(db)) },
}

// Migrates a database as a server process does at its start: `node migrate-process.ts URL-OR-PATH`.
const [where = ''] = process.argv.slice(2)
const database = where.startsWith('postgres:')
  ? openPostgres(where, { onIdleError: () => undefined })
  : openSqlite(where)
await migrate(database, 'slow', slowMigrations)
await database.close()
