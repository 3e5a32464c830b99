import type { Kysely, KyselyPlugin } from 'kysely'

import type { Database } from '../database/database.ts'
import { type RunStatement, runnerOf, runStatementsBy } from '../database/statement-runner.ts'

/** Gets the text of a statement that has ended, and how many rows it changed, if the database says so. */
type Listener = (text: string, changed?: bigint) => void

/** Gives the connection an executor of its own and changes nothing. */
const NO_CHANGE: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => await Promise.resolve(result),
}

/** The same connection, which tells each statement that it runs. Prepared statements stay prepared. */
export function listenTo(db: Kysely<unknown>, listener: Listener): Kysely<unknown> {
  const heard = db.withPlugin(NO_CHANGE)
  // That of `db`, which may have a listener already.
  const before = db.getExecutor()
  heard.getExecutor().executeQuery = async <Row>(...[query, options]: Parameters<typeof before.executeQuery<Row>>) => {
    let changed: bigint | undefined
    try {
      const result = await before.executeQuery<Row>(query, options)
      changed = result.numAffectedRows
      return result
    } finally {
      listener(query.sql, changed)
    }
  }
  const run = runnerOf(db)
  if (run) {
    const runAndTell: RunStatement = async (query) => {
      try {
        return await run(query)
      } finally {
        listener(query.sql)
      }
    }
    runStatementsBy(heard, { run: runAndTell })
  }
  return heard
}

/** The same database, which tells the text of each statement. */
export function hearStatements(database: Database<unknown>, listener: (text: string) => void): Database<unknown> {
  const hear = (db: Kysely<unknown>) => listenTo(db, listener)
  const heard: Database<unknown> = {
    ...database,
    read: hear(database.read),
    transaction: async (work) => await database.transaction(async (trx) => await work(hear(trx))),
    withTables: <Other>() => heard as unknown as Database<Other>,
  }
  return heard
}
