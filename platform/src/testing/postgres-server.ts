import { randomUUID } from 'node:crypto'

import pg from 'pg'
import { inject } from 'vitest'

import { POSTGRES_PASSWORD, POSTGRES_USER } from './own-postgres.ts'
import type {} from './postgres-global-setup.ts'

/** Creates an empty database on the PostgreSQL server of the run and returns its URL. */
export async function freshPostgresUrl(): Promise<string> {
  const server = `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@127.0.0.1:${inject('postgresPort')}`
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${server}/${name}`
}
