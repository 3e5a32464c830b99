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
    /^select "\w+"(?:, "\w+")* from "\w+" where \("\w+"(?:, "\w+")*\) > \((?:\?|\$\d+)(?:, (?:\?|\$\d+))*\) order by /u,
    /^update "\w+" set "due_at" = (?:\?|\$1)(?:, "\w+" = (?:"\w+" [+-] (?:1|\$\d+|\?)|\?|\$\d+|null))* where (?:"\w+" = (?:\?|\$\d+) and )+"(?:due_at|claimed_by)" = /u,
  ].map((form) => [form, form] as const),
]

/** In how these are used the databases differ, and they are written alike for both. */
const CLAUSES = ['distinct', 'group', 'having', 'conflict', 'union', 'exists', 'count', 'sum', 'avg', 'min', 'max']

/** What was sent to PostgreSQL so far. */
export type SentToPostgres = {
  add: (text: string) => void
  /** Whether PostgreSQL got what SQLite got with this statement. */
  covers: (onSqlite: string) => boolean
}

/**
 * Compares the statements that both databases get. Those whose words differ, such as a list that is `any($1)` on one and
 * `json_each(?)` on the other, are compared by their clauses and by the names of tables and columns, which are `given`.
 */
export function sentToPostgres(given: Iterable<string>): SentToPostgres {
  const names = new Set([...CLAUSES, ...[...given].map((name) => name.toLowerCase())])
  const known = new Map<string, string | undefined>()
  const shapeOf = (text: string) => {
    if (!known.has(text)) known.set(text, findShape(text, names))
    return known.get(text)
  }
  const texts = new Set<string>()
  const shapes = new Set<string | undefined>([undefined])
  const counterparts = new Set<RegExp>()
  return {
    add: (text) => {
      if (texts.has(text)) return
      texts.add(text)
      shapes.add(shapeOf(text))
      for (const [onSqlite, onPostgres] of COUNTERPARTS) if (onPostgres.test(text)) counterparts.add(onSqlite)
    },
    covers: (onSqlite) => shapes.has(shapeOf(onSqlite)) || [...counterparts].some((form) => form.test(onSqlite)),
  }
}

/** What a statement does to which tables and columns. Undefined for one that reads and writes no rows. */
function findShape(text: string, names: ReadonlySet<string>): string | undefined {
  const plain = text.replaceAll(/'[^']*'|::\w+/gu, ' ').toLowerCase()
  const verb = /^\s*(select|insert|update|delete|with)\b/u.exec(plain)?.[1]
  if (verb === undefined) return undefined
  const words = new Set(plain.match(/[a-z_]\w*/gu))
  return [verb, ...[...names].filter((name) => words.has(name))].join(' ')
}
