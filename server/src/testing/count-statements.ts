import type { Database } from '@marquee/platform/database/database'

type Counting = {
  database: Database<unknown>
  /** How many statements a read takes. It is repeated, because background work may read at the same time. */
  ofRead: (read: () => Promise<unknown>) => Promise<number>
}

const ATTEMPTS = 5

/** The same database, which counts the statements that are read outside transactions. */
export function countingReads(database: Database<unknown>): Counting {
  let statements = 0
  const read = database.read.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  })
  return {
    database: { ...database, read },
    ofRead: async (act) => {
      const counts: number[] = []
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const before = statements
        await act()
        counts.push(statements - before)
      }
      return Math.min(...counts)
    },
  }
}
