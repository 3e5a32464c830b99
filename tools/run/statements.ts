import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Statements that differ in more than their words, each with what PostgreSQL gets instead. The queue sends the same to each of
 * its tables, some of it only if a process is slow or its clock goes back; its own tests run on both.
 */
const COUNTERPARTS: readonly (readonly [onSqlite: RegExp, onPostgres: RegExp])[] = [
  [
    /^select "id", "title", "movie" from "card" where .* union all select found\.id from card as found/su,
    /^select "id", "title", "movie" from "card" where .* cross join lateral/su,
  ],
  ...[
    /^(?:select|update) .*(?<![\w".])due_at is not null/su,
    /^update "\w+" set "due_at" = (?:\?|\$1)(?:, "\w+" = (?:"\w+" [+-] (?:1|\$\d+|\?)|\?|\$\d+|null))* where (?:"\w+" = (?:\?|\$\d+) and )+"(?:due_at|claimed_by)" = /u,
  ].map((form) => [form, form] as const),
]

/** In how these are used the databases differ, and they are written alike for both. */
const CLAUSES = ['distinct', 'group', 'having', 'conflict', 'union', 'exists', 'count', 'sum', 'avg', 'min', 'max']

/**
 * The statements of the product that the tests sent to SQLite and not to PostgreSQL, from a folder that
 * `platform/src/testing/statement-ledger.ts` has written. Statements whose words differ between the databases, such as a list
 * that is `any($1)` on one and `json_each(?)` on the other, are compared by their clauses and the names of tables and columns.
 */
export function onlyOnSqlite(folder: string): string[] {
  const noted = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as [kind: string, text: string]),
  )
  const textsOf = (kind: string) => noted.filter(([found]) => found === kind).map(([, text]) => text)
  const names = new Set([...CLAUSES, ...textsOf('names').map((name) => name.toLowerCase())])
  const onPostgres = textsOf('postgres')
  const shapes = new Set(onPostgres.map((text) => shapeOf(text, names)))
  const counterparts = COUNTERPARTS.filter(([, other]) => onPostgres.some((text) => other.test(text)))
  return [...new Set(textsOf('sqlite'))].filter((text) => {
    const shape = shapeOf(text, names)
    return shape !== undefined && !shapes.has(shape) && !counterparts.some(([form]) => form.test(text))
  })
}

/** What a statement does to which tables and columns. Undefined for one that reads and writes no rows. */
function shapeOf(text: string, names: ReadonlySet<string>): string | undefined {
  const plain = text.replaceAll(/'[^']*'|::\w+/gu, ' ').toLowerCase()
  const verb = /^\s*(select|insert|update|delete|with)\b/u.exec(plain)?.[1]
  if (verb === undefined) return undefined
  const words = new Set(plain.match(/[a-z_]\w*/gu))
  return [verb, ...[...names].filter((name) => words.has(name))].join(' ')
}
