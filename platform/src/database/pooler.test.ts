import { expect, test } from 'vitest'

import { startForgetfulPooler } from '../testing/forgetful-pooler.ts'
import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { reachPostgres } from './open.ts'

const ignore = { onIdleError: (): void => undefined }

test('a pooler without prepared statements is rejected at the start, with a message that says what to do', async () => {
  const url = new URL(await freshPostgresUrl())
  const pooler = await startForgetfulPooler(Number(url.port))
  url.port = String(pooler.port)
  const reached = reachPostgres(url.href, ignore)

  await expect(reached).rejects.toThrow(
    /cannot be used: a connection pooler in front of it forgets prepared statements\. PgBouncer in transaction mode has to be version 1\.21 or later, with max_prepared_statements above 0\.$/u,
  )
  await pooler.stop()
})

test('PostgreSQL without a pooler is accepted', async () => {
  const database = await reachPostgres(await freshPostgresUrl(), ignore)

  expect(database.dialect).toBe('postgres')
  await database.close()
})
