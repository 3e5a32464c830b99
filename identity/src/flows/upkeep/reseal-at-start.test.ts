import { randomBytes } from 'node:crypto'

import type { Database } from '@marquee/platform/database/database'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { expect, test } from 'vitest'

import { aPool, POOL_TABLES } from '../../testing/a-pool.ts'
import { aConfirmedUser, trySignIn } from '../../testing/people.ts'

/** The same database; the query for rows under an older master key waits until `release` is called. */
function blockReseals(database: Database<unknown>) {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const watch = (trx: Database<unknown>['read']): Database<unknown>['read'] => {
    const blocked = new WeakSet<object>()
    return trx.withPlugin({
      transformQuery: ({ node, queryId }) => {
        const { sql } = trx.getExecutor().compileQuery(node, queryId)
        if (/^select .*verifier_box.* union all /u.test(sql)) blocked.add(queryId)
        return node
      },
      transformResult: async ({ result, queryId }) => {
        if (blocked.has(queryId)) {
          asked.resolve()
          await gate.promise
        }
        return result
      },
    })
  }
  const blocking: Database<unknown> = {
    ...database,
    transaction: async (work) => await database.transaction(async (trx) => await work(watch(trx))),
    withTables: <Other>() => blocking as unknown as Database<Other>,
  }
  return { database: blocking, asked: asked.promise, release: gate.resolve }
}

eachStatement(POOL_TABLES, (useDatabase) => {
  test('the start after a change of the master key does not wait for re-encryption', async () => {
    const old = await aPool(useDatabase())
    const zoe = await aConfirmedUser(old)
    await old.close()
    const { database, asked, release } = blockReseals(useDatabase())
    const masterKey = randomBytes(32)
    const started = await aPool(database, { masterKey, settings: { previousMasterKeys: [old.masterKey] } })
    await asked
    release()
    await started.close()
    const after = await aPool(useDatabase(), { masterKey })
    const signedIn = await trySignIn(after, zoe.email, zoe.password)
    await after.close()

    expect(signedIn.status).toBe(200)
  })
})
