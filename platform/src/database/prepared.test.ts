import { beforeAll, expect, test } from 'vitest'

import { eachDatabase } from '../testing/each-database.ts'
import { withTables } from './database.ts'
import { prepared } from './prepared.ts'

type Tables = { film: { title: string; year: number } }

const tables = withTables<Tables>

const add = prepared<Tables['film'], unknown>((db, value) =>
  tables(db)
    .insertInto('film')
    .values({ title: value('title'), year: value('year') }),
)

const newer = prepared<{ than: number }, { title: string }, { isNewestFirst: boolean }>(
  (db, value, { isNewestFirst }) =>
    tables(db)
      .selectFrom('film')
      .select('title')
      .where('year', '>', value('than'))
      .orderBy('year', isNewestFirst ? 'desc' : 'asc'),
)

eachDatabase<Tables>(
  {
    films: {
      '0001_films': {
        up: async (db) => {
          await db.schema.createTable('film').addColumn('title', 'text').addColumn('year', 'integer').execute()
        },
      },
    },
  },
  (theDatabase) => {
    beforeAll(async () => {
      await theDatabase().transaction(async (trx) => {
        await add(trx, { title: 'The Third Man', year: 1949 })
        await add(trx, { title: 'Playtime', year: 1967 })
        await add(trx, { title: "It's a Wonderful Life", year: 1946 })
      })
    })

    test('a prepared statement runs with the values of each call', async () => {
      const titles = async (than: number) => await newer(theDatabase().read, { than }, { isNewestFirst: true })

      expect(await titles(1948)).toEqual([{ title: 'Playtime' }, { title: 'The Third Man' }])
      expect(await titles(1960)).toEqual([{ title: 'Playtime' }])
    })

    test('statements of different shapes are not mixed up', async () => {
      const [first] = await newer(theDatabase().read, { than: 0 }, { isNewestFirst: false })
      const [last] = await newer(theDatabase().read, { than: 0 }, { isNewestFirst: true })

      expect([first, last]).toEqual([{ title: "It's a Wonderful Life" }, { title: 'Playtime' }])
    })

    test('a plug-in sees every call, with its values', async () => {
      const seen: unknown[] = []
      const { read } = theDatabase()
      const watched = read.withPlugin({
        transformQuery: ({ node, queryId }) => {
          seen.push(read.getExecutor().compileQuery(node, queryId).parameters)
          return node
        },
        transformResult: async ({ result }) => await Promise.resolve(result),
      })

      for (const than of [1948, 1960]) await newer(watched, { than }, { isNewestFirst: true })

      expect(seen).toEqual([[1948], [1960]])
    })
  },
)
