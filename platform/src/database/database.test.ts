import { expect, test } from 'vitest'

import { eachDatabase } from '../testing/each-database.ts'
import type { Migrations } from './migrate.ts'

type Tables = { note: { id: number; text: string } }

const migrations: Migrations = {
  '0001_note': {
    up: async (db) => {
      await db.schema
        .createTable('note')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

eachDatabase<Tables>({ notes: migrations }, (useDatabase) => {
  test('a transaction that fails leaves nothing behind, and its neighbours of the same moment stay', async () => {
    const database = useDatabase()
    const add = async (id: number) =>
      await database.transaction(async (trx) => {
        await trx.insertInto('note').values({ id, text: 'kept' }).execute()
        if (id === 2) throw new Error('changed my mind')
        return id
      })

    const outcomes = await Promise.allSettled([add(1), add(2), add(3)])

    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await database.read.selectFrom('note').select('id').orderBy('id').execute()).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('a statement that breaks a constraint rejects only its own transaction', async () => {
    const database = useDatabase()
    const add = async (id: number) =>
      await database.transaction(async (trx) => await trx.insertInto('note').values({ id, text: 'x' }).execute())

    const outcomes = await Promise.allSettled([add(10), add(10), add(11)])

    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(2)
    expect(await database.read.selectFrom('note').select('id').where('id', '>=', 10).orderBy('id').execute()).toEqual([
      { id: 10 },
      { id: 11 },
    ])
  })

  test('a read outside the transaction does not see work that is not finished', async () => {
    const database = useDatabase()

    const seen = await database.transaction(async (trx) => {
      await trx.insertInto('note').values({ id: 20, text: 'unfinished' }).execute()
      return await database.read.selectFrom('note').select('id').where('id', '=', 20).execute()
    })

    expect(seen).toEqual([])
  })

  test('an update tells how many rows it changed', async () => {
    const database = useDatabase()
    await database.transaction(async (trx) => await trx.insertInto('note').values({ id: 30, text: 'a' }).execute())

    const result = await database.transaction(
      async (trx) => await trx.updateTable('note').set({ text: 'b' }).where('id', '=', 30).executeTakeFirstOrThrow(),
    )

    expect(result.numUpdatedRows).toBe(1n)
  })
})
