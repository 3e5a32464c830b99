import type { Database } from '@marquee/platform/database/database'

/** The same database, which counts the statements that are read outside transactions. */
export function countingReads(database: Database<unknown>): { database: Database<unknown>; count: () => number } {
  let statements = 0
  const read = database.read.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  })
  return { database: { ...database, read }, count: () => statements }
}
