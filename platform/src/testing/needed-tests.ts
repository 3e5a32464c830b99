import type { AnyDb } from '../database/database.ts'
import { listNames } from './statement-ledger.ts'
import { type SentToPostgres, sentToPostgres } from './statement-shapes.ts'

/** Tests that race requests against each other have this tag. */
const RACE = 'race'

type Test = { readonly fullTestName: string; readonly tags?: readonly string[] | undefined }

/** Chooses the tests of a suite that also run on PostgreSQL: races, and those that send it something new. */
export type NeededTests = {
  /** Gets each statement that SQLite gets. */
  readonly heardOnSqlite: (text: string) => void
  /** What SQLite has got since the test before is of this one. */
  readonly endedOnSqlite: (test: Test) => void
  /** All tests have run on SQLite. */
  readonly compareWith: (sqlite: AnyDb) => Promise<void>
  /** Gets each statement that PostgreSQL gets. */
  readonly heardOnPostgres: (text: string) => void
  readonly isNeeded: (test: Test) => boolean
}

export function chooseTests(): NeededTests {
  const textsOf = new Map<string, ReadonlySet<string>>()
  let texts = new Set<string>()
  let sent: SentToPostgres | undefined
  return {
    heardOnSqlite: (text) => void texts.add(text),
    endedOnSqlite: (test) => {
      textsOf.set(nameOf(test), texts)
      texts = new Set()
    },
    compareWith: async (sqlite) => {
      sent = sentToPostgres(await listNames(sqlite))
    },
    heardOnPostgres: (text) => sent?.add(text),
    isNeeded: (test) => {
      const onSqlite = textsOf.get(nameOf(test))
      // A test that did not run on SQLite runs here.
      if (test.tags?.includes(RACE) || !sent || !onSqlite) return true
      return ![...onSqlite].every(sent.covers)
    },
  }
}

/** Without the name of the database. */
function nameOf({ fullTestName }: Test): string {
  return fullTestName.replace(/^on \w+ > /u, '')
}
