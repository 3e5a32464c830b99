import pg from 'pg'
import { expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { createLogger } from './logger.ts'

test('a database error and its cause are logged without values of the row', async () => {
  const client = new pg.Client({ connectionString: await freshPostgresUrl() })
  await client.connect()
  await client.query('create table person (email text primary key)')
  const insert = async () => await client.query(`insert into person values ('zoe@example.org')`)
  await insert()
  const refused: unknown = await insert().catch((error: unknown) => error)
  await client.end()
  const lines: string[] = []
  const logger = createLogger('error', { destination: { write: (line) => void lines.push(line) } })
  logger.error({ err: new Error('It could not be kept', { cause: refused }) }, 'a request failed')

  expect(lines.join('')).toContain('duplicate key value violates unique constraint')
  expect(lines.join('')).toContain('"code":"23505"')
  expect(lines.join('')).not.toContain('zoe@')
})

// Evidence: asvs-16.4.1
test('a line break or an escape sequence in a value cannot start a new log line', () => {
  const lines: string[] = []
  const logger = createLogger('info', { destination: { write: (line) => void lines.push(line) } })
  const hostile = 'x\n{"level":50,"msg":"forged"}\r\n\u001b[2J'

  logger.info({ err: new Error(hostile), method: hostile }, hostile)

  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: hostile, method: hostile, err: { message: hostile } })
})

// Evidence: asvs-16.2.5
test('a secret that an error quotes is removed from its message and stack', () => {
  const lines: string[] = []
  const logger = createLogger('info', {
    secret: /key_\d{4}/gu,
    destination: { write: (line) => void lines.push(line) },
  })

  logger.info({ err: new Error('key_1234 and key_5678 are unknown') }, 'a call with key_9012 failed')

  expect(lines.join('')).toContain('a call with [Redacted] failed')
  expect(lines.join('')).toContain('[Redacted] and [Redacted] are unknown')
  expect(lines.join('')).not.toMatch(/key_\d/u)
})
