import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const EXPECTED = [
  // PostgreSQL looks the cards up by two indexes in one statement.
  /^select "id", "title", "movie" from "card" where .* union all select found\.id from card as found/su,
  // The queue sends the same to each of its tables, some of it only if a process is slow. Its own tests run on both.
  /^update "\w+" set "due_at" = \?(?:, "\w+" = [^,]+)* where .*"(?:due_at|claimed_by)" <?= \?/su,
]

/**
 * The statements of the product that the tests sent to SQLite and not to PostgreSQL, from a folder that
 * `platform/src/testing/statement-ledger.ts` has written. Statements whose words differ between the databases, such as a list that is
 * `any($1)` on one and `json_each(?)` on the other, are compared by the names of tables and columns.
 */
export function onlyOnSqlite(folder: string): string[] {
  const noted = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as [kind: string, text: string]),
  )
  const textsOf = (kind: string) => noted.filter(([found]) => found === kind).map(([, text]) => text)
  const names = new Set(textsOf('names').map((name) => name.toLowerCase()))
  const onPostgres = new Set(textsOf('postgres').map((text) => shapeOf(text, names)))
  return [...new Set(textsOf('sqlite'))].filter((text) => {
    const shape = shapeOf(text, names)
    return shape !== undefined && !onPostgres.has(shape) && !EXPECTED.some((known) => known.test(text))
  })
}

/** What a statement does to which tables and columns. Undefined for one that reads and writes no rows. */
function shapeOf(text: string, names: ReadonlySet<string>): string | undefined {
  const plain = text.replaceAll(/'[^']*'/gu, ' ').toLowerCase()
  const verb = /^\s*(select|insert|update|delete|with)\b/u.exec(plain)?.[1]
  if (verb === undefined) return undefined
  const words = new Set(plain.match(/[a-z_]\w*/gu))
  return [verb, ...[...names].filter((name) => words.has(name))].join(' ')
}
