import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { migrate } from '../database/migrate.ts'
import { slowMigrations } from './slow-migrations.ts'

// A process of its own that does what each of many does at its start: `node migrate-process.ts URL-OR-PATH`.
const [where = ''] = process.argv.slice(2)
const database = where.startsWith('postgres:')
  ? openPostgres(where, { onIdleError: () => undefined })
  : openSqlite(where)
await migrate(database, 'slow', slowMigrations)
await database.close()
