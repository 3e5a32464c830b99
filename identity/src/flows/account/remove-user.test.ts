import { eachStatement } from '@marquee/platform/testing/each-database'
import { expect, test } from 'vitest'

import { POOL_TABLES } from '../../testing/a-pool.ts'
import { removeRowsOf } from './remove-user.ts'

/** Removed with the row that they belong to: a passkey, a link, the user. */
const REMOVED_WITH_A_ROW = ['identity_external_owner', 'identity_passkey_owner', 'identity_user']

eachStatement(POOL_TABLES, (useDatabase) => {
  test('removing a user deletes rows from every table that has a user id', async () => {
    const database = useDatabase()
    const deletedFrom: string[] = []
    const user = { sub: 'zoe', username: 'zoe', email: 'zoe@example.com', email_key: 'zoe@example.com' }

    await database.transaction(async (trx) => {
      const watched = trx.withPlugin({
        transformQuery: ({ node, queryId }) => {
          const { sql } = trx.getExecutor().compileQuery(node, queryId)
          deletedFrom.push(/^delete from "(\w+)"/u.exec(sql)?.[1] ?? '')
          return node
        },
        transformResult: async ({ result }) => await Promise.resolve(result),
      })
      await removeRowsOf(watched, [{ ...user, email_verified: 1 }])
    })

    const tables = await database.read.introspection.getTables()
    const ofUsers = tables.filter(({ columns }) => columns.some(({ name }) => name === 'sub')).map(({ name }) => name)
    expect(ofUsers).toContain('identity_device')
    expect(ofUsers.filter((name) => ![...deletedFrom, ...REMOVED_WITH_A_ROW].includes(name))).toEqual([])
  })
})
