import { expect, test } from 'vitest'

import { eachDatabase } from '../testing/each-database.ts'
import { type AnyDb, withTables } from './database.ts'
import type { Migrations } from './migrate.ts'
import { prepared } from './prepared.ts'

type Tables = { note: { id: number; text: string } }

const tables = withTables<Tables>

const insertNote = prepared<Tables['note'], unknown>((db, value) =>
  tables(db)
    .insertInto('note')
    .values({ id: value('id'), text: value('text') }),
)

const notesFrom = prepared<{ id: number }, { id: number }>((db, value) =>
  tables(db).selectFrom('note').select('id').where('id', '>=', value('id')).orderBy('id'),
)

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
  // Evidence: asvs-2.3.3
  test('a failed transaction leaves nothing behind, and concurrent transactions succeed', async () => {
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

  test('a statement that violates a constraint rejects only its own transaction', async () => {
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

  test('a read outside a transaction does not see its uncommitted rows', async () => {
    const database = useDatabase()

    const seen = await database.transaction(async (trx) => {
      await trx.insertInto('note').values({ id: 20, text: 'unfinished' }).execute()
      return await database.read.selectFrom('note').select('id').where('id', '=', 20).execute()
    })

    expect(seen).toEqual([])
  })

  test('an update returns the number of changed rows', async () => {
    const database = useDatabase()
    await database.transaction(async (trx) => await trx.insertInto('note').values({ id: 30, text: 'a' }).execute())

    const result = await database.transaction(
      async (trx) => await trx.updateTable('note').set({ text: 'b' }).where('id', '=', 30).executeTakeFirstOrThrow(),
    )

    expect(result.numUpdatedRows).toBe(1n)
  })

  test('statements sent together run in the order they were sent', async () => {
    const seen = await useDatabase().transaction(
      async (trx) =>
        await Promise.all([
          notesFrom(trx, { id: 40 }),
          insertNote(trx, { id: 40, text: 'first' }),
          notesFrom(trx, { id: 40 }),
          insertNote(trx, { id: 41, text: 'second' }),
          notesFrom(trx, { id: 40 }),
        ]),
    )

    expect(seen).toEqual([[], [], [{ id: 40 }], [], [{ id: 40 }, { id: 41 }]])
  })

  // Evidence: asvs-16.5.3
  test('a failed statement among several rolls back the transaction, and the next transaction succeeds', async () => {
    const database = useDatabase()
    const add = async (ids: number[]) =>
      await database.transaction(
        async (trx) => await Promise.all(ids.map(async (id) => await insertNote(trx, { id, text: 'x' }))),
      )

    await expect(add([50, 51, 51, 52])).rejects.toThrow(/unique/iu)
    await add([53])

    expect(await notesFrom(database.read, { id: 50 })).toEqual([{ id: 53 }])
  })

  test('a statement sent with the commit is part of the transaction and rolls it back if it fails', async () => {
    const database = useDatabase()
    const addTwo = async (first: number, last: number) =>
      await database.transaction(async (trx) => {
        await insertNote(trx, { id: first, text: 'first' })
        return insertNote.send(trx, { id: last, text: 'last' }).map(() => 'done')
      })

    expect(await addTwo(60, 61)).toBe('done')
    await expect(addTwo(62, 60)).rejects.toThrow(/unique/iu)

    expect(await notesFrom(database.read, { id: 60 })).toEqual([{ id: 60 }, { id: 61 }])
  })

  test('the first error is reported if several statements sent with the commit fail', async () => {
    const addLast = async (first: { id: number; text: string | null }, last: { id: number; text: string | null }) =>
      await useDatabase().transaction(async (trx) => {
        await Promise.resolve()
        const sent = insertNote.send(trx, first as Tables['note'])
        return insertNote.send(trx, last as Tables['note']).with(sent)
      })
    await addLast({ id: 64, text: 'there' }, { id: 65, text: 'there, too' })

    await expect(addLast({ id: 64, text: 'twice' }, { id: 66, text: null })).rejects.toThrow(/unique/iu)
    await expect(addLast({ id: 66, text: null }, { id: 64, text: 'twice' })).rejects.toThrow(/not.null/iu)
  })

  test('a statement sent after the end of its transaction is rejected', async () => {
    let kept: AnyDb | undefined
    await useDatabase().transaction(async (trx) => {
      kept = trx
      await Promise.resolve()
    })

    await expect(insertNote(kept as AnyDb, { id: 70, text: 'late' })).rejects.toThrow(
      'This connection has been given back',
    )
    expect(await notesFrom(useDatabase().read, { id: 70 })).toEqual([])
  })

  test('work that continues after a failed statement is rolled back', async () => {
    const work = useDatabase().transaction(async (trx) => {
      await insertNote(trx, { id: 80, text: 'first' })
      await insertNote(trx, { id: 80, text: 'again' }).catch(() => undefined)
      return 'done'
    })

    await expect(work).rejects.toThrow('A statement failed, and the work went on')
    expect(await notesFrom(useDatabase().read, { id: 80 })).toEqual([])
  })
})
