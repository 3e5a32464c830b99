import { CompiledQuery, type Kysely, sql } from 'kysely'

import type { AnyDb, Database } from '@marquee/platform/database/database'

/** The same connection, which records every statement. */
export function capturing(db: Kysely<unknown>): { db: Kysely<unknown>; captured: CompiledQuery[] } {
  const captured: CompiledQuery[] = []
  const capturingDb = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      captured.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => await Promise.resolve(result),
  })
  return { db: capturingDb, captured }
}

/** Updates the statistics of the planner. */
export async function analyze(database: Database<unknown>): Promise<void> {
  await sql`analyze`.execute(database.schema)
}

/** The query plan of SQLite: lines such as `SEARCH card USING INDEX card_feed (watchlist_id=?)`. */
export async function sqlitePlan(db: AnyDb, query: CompiledQuery): Promise<string[]> {
  const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
  const { rows } = await db.executeQuery<{ detail: string }>(explain)
  return rows.map((row) => row.detail)
}

/** A step of a query on PostgreSQL. `rows` counts the examined rows, kept or not, in all its loops. */
export type PostgresStep = { type: string; table: string | undefined; rows: number; loops: number }

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Runs a statement on PostgreSQL and returns its steps. */
export async function postgresSteps(db: AnyDb, query: CompiledQuery): Promise<PostgresStep[]> {
  const explain = CompiledQuery.raw(`explain (analyze, timing off, format json) ${query.sql}`, [...query.parameters])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain)
  return rows.flatMap((row) => stepsOf(row['QUERY PLAN'][0].Plan))
}

function stepsOf(node: PlanNode): PostgresStep[] {
  const looked =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return [
    {
      type: node['Node Type'],
      table: node['Relation Name'],
      rows: looked * node['Actual Loops'],
      loops: node['Actual Loops'],
    },
    ...(node.Plans ?? []).flatMap(stepsOf),
  ]
}
