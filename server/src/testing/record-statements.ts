import { AsyncLocalStorage } from 'node:async_hooks'

import type { Kysely, KyselyPlugin } from 'kysely'

import type { Database } from '@marquee/platform/database/database'

type Recording = {
  database: Database<unknown>
  /** The texts of the statements that an act sends, in order, without their values, and without those of background work. */
  during: (act: () => Promise<unknown>) => Promise<string[]>
}

/** The same database, which records the text of each statement. */
export function recordStatements(database: Database<unknown>): Recording {
  const recording = new AsyncLocalStorage<string[]>()
  const recorder = (db: Kysely<unknown>): KyselyPlugin => ({
    transformQuery: ({ node, queryId }) => {
      recording.getStore()?.push(db.getExecutor().compileQuery(node, queryId).sql)
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  })
  const watch = (db: Kysely<unknown>) => db.withPlugin(recorder(db))
  const recorded: Database<unknown> = {
    ...database,
    read: watch(database.read),
    transaction: async (work) => await database.transaction(async (trx) => await work(watch(trx))),
    withTables: <Other>() => recorded as unknown as Database<Other>,
  }
  return {
    database: recorded,
    during: async (act) => {
      const texts: string[] = []
      await recording.run(texts, act)
      return texts
    },
  }
}
