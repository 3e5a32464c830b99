import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { freePort } from '../testing/free-port.ts'
import { type OwnPostgres, startOwnPostgres } from '../testing/own-postgres.ts'
import { type Standby, startStandby } from '../testing/standby-postgres.ts'
import { reachPostgres } from './open.ts'
import { WITHIN } from '../testing/within.ts'

let primary: OwnPostgres
let standby: Standby
beforeAll(async () => {
  primary = await startOwnPostgres()
  standby = await startStandby(primary)
})
afterAll(async () => {
  await standby.remove()
  await primary.remove()
})

/** The URL of the database on several hosts. */
function on(...hosts: readonly string[]): string {
  return primary.url.replace(/@[^/]+/u, `@${hosts.join(',')}`)
}
const ignore = { onIdleError: (): void => undefined }

test('the start fails if no host accepts writes, and the error gives the reason for each host', async () => {
  const gone = `127.0.0.1:${await freePort()}`
  const replica = `127.0.0.1:${standby.port}`

  await expect(reachPostgres(`${on(replica)}?target_session_attrs=read-write`, ignore)).rejects.toThrow(
    `cannot be used: no host takes writes (${replica}: it is read-only).`,
  )
  await expect(reachPostgres(on(gone, replica), ignore)).rejects.toThrow(
    `The database at postgres://marquee@${gone},${replica}/marquee cannot be used: ` +
      `no host takes writes (${gone}: connect ECONNREFUSED ${gone}; ${replica}: it is read-only).`,
  )
})

test('the host that accepts writes is used, even after a failover to the replica', async () => {
  const database = await reachPostgres(
    `${on(`127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`)}?target_session_attrs=read-write`,
    ignore,
  )
  const add = async (n: number): Promise<void> => {
    await database.transaction(async (trx) => {
      await sql`insert into note values (${n})`.execute(trx)
    })
  }
  await sql`create table note (n integer)`.execute(database.schema)
  await add(1)

  await primary.crash()
  await expect(add(2)).rejects.toThrow(/terminat|shutting down|no host takes writes/u)
  await standby.promote()
  await vi.waitFor(async () => {
    await add(3)
  }, WITHIN)
  const { rows } = await sql`select n from note order by n`.execute(database.read)
  await database.close()

  expect(rows).toEqual([{ n: 1 }, { n: 3 }])
})
