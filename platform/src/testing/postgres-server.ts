import { createHash, randomUUID } from 'node:crypto'

import pg from 'pg'
import { inject } from 'vitest'

import { type Migrations, migrate } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
import { POSTGRES_PASSWORD, POSTGRES_USER } from './own-postgres.ts'
import type {} from './postgres-global-setup.ts'

/** Of the session in which one worker makes a template; the others wait. */
const TEMPLATES = 1

/** Creates an empty database on the PostgreSQL server of the run and returns its URL. */
export async function freshPostgresUrl(): Promise<string> {
  return await copyOf('template1')
}

/** Creates a database with the tables of these migrations. They run once in a run of the tests, then they are copied. */
export async function migratedPostgresUrl(sets: Readonly<Record<string, Migrations>>): Promise<string> {
  const template = `template_${hashOf(sets)}`
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATES])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount !== 0) return
    // A template that failed must not be there under its name.
    const unfinished = `unfinished_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${unfinished}`)
    const database = openPostgres(urlOf(unfinished), { onIdleError: () => undefined })
    for (const [set, migrations] of Object.entries(sets)) await migrate(database, set, migrations)
    await database.close()
    await client.query(`alter database ${unfinished} rename to ${template}`)
  })
  return await copyOf(template)
}

/** Names what these migrations do. */
export function hashOf(sets: Readonly<Record<string, Migrations>>): string {
  const source = JSON.stringify(sets, (_key, value: unknown) => (typeof value === 'function' ? String(value) : value))
  return createHash('sha256').update(source).digest('hex').slice(0, 32)
}

/** Copies a database that no connection uses. */
export async function copyPostgres(url: string): Promise<string> {
  return await copyOf(new URL(url).pathname.slice(1))
}

async function copyOf(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(
    async (client) => await client.query(`create database ${name} template ${template} strategy file_copy`),
  )
  return urlOf(name)
}

/** Runs statements on the server itself. The end of the connection ends its locks. */
async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(name: string): string {
  return `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${inject('postgresPort')}/${name}`
}
