import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { AnyDb } from '../database/database.ts'
import { PreparingClient } from '../database/preparing-client.ts'

/** Where `npm test` collects what all workers note (tools/run/statements.ts). A run of single files has no such folder. */
const FOLDER = process.env['MARQUEE_STATEMENTS']

const noted = new Set<string>()

/**
 * Notes the statements that the product sent to a SQLite database, as texts without values, and the names of its tables and
 * columns, by which they are found again on PostgreSQL.
 */
export async function noteStatements(db: AnyDb, texts: Iterable<string>): Promise<void> {
  if (FOLDER === undefined) return
  note('names', await listNames(db))
  note('sqlite', texts)
}

/** The names of the tables and columns of a SQLite database. */
export async function listNames(db: AnyDb): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' union
    select c.name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'`.execute(db)
  return rows.map(({ name }) => name)
}

/** A connection to PostgreSQL that notes its statements, and tells them to a listener. */
export function notingClient(listener: (text: string) => void) {
  return class extends PreparingClient {
    // oxlint-disable-next-line typescript/no-explicit-any -- the result depends on which overload was called
    override query(...given: unknown[]): any {
      const [text] = given
      if (typeof text === 'string') {
        note('postgres', [text])
        listener(text)
      }
      return super.query(...given)
    }
  }
}

function note(kind: 'names' | 'postgres' | 'sqlite', texts: Iterable<string>): void {
  if (FOLDER === undefined) return
  const lines = [...texts].map((text) => JSON.stringify([kind, text])).filter((line) => !noted.has(line))
  for (const line of lines) noted.add(line)
  if (lines.length > 0) appendFileSync(join(FOLDER, `${process.pid}.jsonl`), `${lines.join('\n')}\n`)
}
