import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { migrate } from '../database/migrate.ts'
import { slowMigrations } from './slow-migrations.ts'

// Migrates a database as a server process does at its start: `node migrate-process.ts URL-OR-PATH`.
const [where = ''] = process.argv.slice(2)
const database = where.startsWith('postgres:')
  ? openPostgres(where, { onIdleError: () => undefined })
  : openSqlite(where)
await migrate(database, 'slow', slowMigrations)
await database.close()
