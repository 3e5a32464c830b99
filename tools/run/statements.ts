import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { sentToPostgres } from '../../platform/src/testing/statement-shapes.ts'

/**
 * The statements of the product that the tests sent to SQLite and not to PostgreSQL, from a folder that
 * `platform/src/testing/statement-ledger.ts` has written.
 */
export function onlyOnSqlite(folder: string): string[] {
  const noted = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as [kind: string, text: string]),
  )
  const textsOf = (kind: string) => noted.filter(([found]) => found === kind).map(([, text]) => text)
  const sent = sentToPostgres(textsOf('names'))
  for (const text of textsOf('postgres')) sent.add(text)
  return [...new Set(textsOf('sqlite'))].filter((text) => !sent.covers(text))
}
