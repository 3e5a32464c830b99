import type { Compilable, CompiledQuery } from 'kysely'

import { type AnyDb, dialectOf } from './database.ts'
import { runnerOf } from './statement-runner.ts'

/** Stands in a statement for a value that is given each time it is run. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type ValueOf<V> = <K extends keyof V & string>(name: K) => V[K]

const texts = new Map<string, string>()

/** The name under which a connection may keep a statement that was made by `prepared`; undefined for any other. */
export function nameOf(text: string): string | undefined {
  return texts.get(text)
}

/**
 * A statement that is built once and run many times, for those that every request needs: building one costs more than
 * running it. `build` takes its values from `value`, and names the columns it gives. Where statements differ in more
 * than values, `shape` says in what: one is kept for each, so there must be few.
 */
export function prepared<V extends object, R, S = undefined>(
  build: (db: AnyDb, value: ValueOf<V>, shape: S) => Compilable<R>,
): (db: AnyDb, values: V, ...shape: S extends undefined ? [] : [S]) => Promise<R[]> {
  const kept = new Map<string, CompiledQuery<R>>()

  function find(db: AnyDb, shape: S): CompiledQuery<R> {
    const key = `${dialectOf(db)} ${JSON.stringify(shape)}`
    const known = kept.get(key)
    if (known) return known
    const query = build(db, (name) => new Place(name) as never, shape).compile()
    kept.set(key, query)
    // Shapes may differ in values alone.
    if (!texts.has(query.sql)) texts.set(query.sql, `kept_${texts.size}`)
    return query
  }

  return async (db, values, ...[shape]) => {
    const run = runnerOf(db)
    if (run) return (await run(filled(find(db, shape as S), values))) as R[]
    // A database with plug-ins, which look at statements while they are built.
    return (await db.executeQuery(build(db, (name) => values[name], shape as S))).rows
  }
}

function filled<R>(query: CompiledQuery<R>, values: object): CompiledQuery<R> {
  const known = values as Readonly<Record<string, unknown>>
  return { ...query, parameters: query.parameters.map((it) => (it instanceof Place ? known[it.name] : it)) }
}
