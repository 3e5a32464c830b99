import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from './free-port.ts'
import { loadEmbeddedPostgres } from './load-embedded-postgres.ts'

export const POSTGRES_USER = 'marquee'
export const POSTGRES_PASSWORD = 'marquee-tests'

export type OwnPostgres = {
  readonly port: number
  /** The URL of an empty database that exists from the start. */
  readonly url: string
  /** The folder of its files. */
  readonly folder: string
  /** Breaks all connections; nothing listens until `start`. Committed data is kept. */
  stop: () => Promise<void>
  start: () => Promise<void>
  /** Like `stop`, but immediate, like a machine that fails: replicas receive nothing more. */
  crash: () => Promise<void>
  /** Stops it and removes its files. */
  remove: () => Promise<void>
}

/** A PostgreSQL server on a free port. Its data survives `crash`, but not a power failure. */
export async function startOwnPostgres(flags: readonly string[] = []): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-postgres-'))
  const port = await freePort()
  const databaseDir = join(folder, 'data')
  const EmbeddedPostgres = await loadEmbeddedPostgres(folder)
  const server = new EmbeddedPostgres({
    databaseDir,
    user: POSTGRES_USER,
    password: POSTGRES_PASSWORD,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // The server hashes the password again for each connection.
    initdbFlags: ['--no-sync', '--set', 'scram_iterations=1'],
    postgresFlags: ['-c', 'fsync=off', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  await server.createDatabase('marquee')
  return {
    port,
    url: `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${port}/marquee`,
    folder: databaseDir,
    crash: async () => {
      const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      await server.stop()
    },
    stop: async () => {
      await server.stop()
    },
    start: async () => {
      await server.start()
    },
    remove: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
