import type { Compilable, CompiledQuery } from 'kysely'

import { type AnyDb, dialectOf } from './database.ts'
import { Sent } from './sent.ts'
import { runnerOf } from './statement-runner.ts'

/** A value of a statement that is different in each run. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type ValueOf<V> = <K extends keyof V & string>(name: K) => V[K]

/** A value for each column, by the name of the column. */
export function given<V, K extends keyof V & string>(columns: readonly K[], value: ValueOf<V>): Pick<V, K> {
  return Object.fromEntries(columns.map((name) => [name, value(name)])) as Pick<V, K>
}

const texts = new Map<string, string>()

/** The name for a statement made by `prepared`, under which a connection may keep it; undefined for any other. */
export function nameOf(text: string): string | undefined {
  return texts.get(text)
}

type Given<V, S> = [db: AnyDb, values: V, ...shape: S extends undefined ? [] : [S]]

/** Returns the rows. `send` makes it the last statement of a transaction; the commit follows at once. */
export type Prepared<V, R, S> = {
  (...given: Given<V, S>): Promise<R[]>
  readonly send: (...given: Given<V, S>) => Sent<R[]>
}

/**
 * A statement that is built once and run many times, because building one costs more than running it. `build` gets its
 * values from `value`, and must name the returned columns. `shape` is what differs besides values. One statement is kept
 * for each shape, so there must be few shapes.
 */
export function prepared<V extends object, R, S = undefined>(
  build: (db: AnyDb, value: ValueOf<V>, shape: S) => Compilable<R>,
): Prepared<V, R, S> {
  const kept = new Map<string, CompiledQuery<R>>()

  function find(db: AnyDb, shape: S): CompiledQuery<R> {
    const key = shape === undefined ? dialectOf(db) : `${dialectOf(db)} ${JSON.stringify(shape)}`
    const known = kept.get(key)
    if (known) return known
    const query = build(db, (name) => new Place(name) as never, shape).compile()
    kept.set(key, query)
    // Two shapes may have the same text.
    if (!texts.has(query.sql)) texts.set(query.sql, `kept_${texts.size}`)
    return query
  }

  async function run(...[db, values, shape]: Given<V, S>): Promise<R[]> {
    const runStatement = runnerOf(db)
    if (runStatement) return (await runStatement(filled(find(db, shape as S), values))) as R[]
    // A database with plug-ins, which need to see statements while they are built.
    return (await db.executeQuery(build(db, (name) => values[name], shape as S))).rows
  }

  return Object.assign(run, {
    send: (...given: Given<V, S>) => new Sent(run(...given), runnerOf(given[0]) !== undefined),
  })
}

/** Like `prepared`, but returns the first row. */
export function preparedFirst<V extends object, R>(build: (db: AnyDb, value: ValueOf<V>) => Compilable<R>) {
  const run = prepared<V, R>(build)
  return async (db: AnyDb, values: V): Promise<R | undefined> => {
    const [row] = await run(db, values)
    return row
  }
}

function filled({ sql, parameters }: CompiledQuery, values: object): Pick<CompiledQuery, 'sql' | 'parameters'> {
  const known = values as Readonly<Record<string, unknown>>
  return { sql, parameters: parameters.map((it) => (it instanceof Place ? known[it.name] : it)) }
}
