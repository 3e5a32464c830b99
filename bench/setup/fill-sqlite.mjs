import { DatabaseSync } from 'node:sqlite'

import { COLUMNS, makeRows } from './rows.mjs'

/** Fills the product's tables of an embedded database that no other process has open. */
export function fillSqlite(path, sizes, people) {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma foreign_keys = off; begin')
  const inserts = Object.fromEntries(
    Object.entries(COLUMNS).map(([table, columns]) => [
      table,
      db.prepare(
        `insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      ),
    ]),
  )
  makeRows(sizes, people, (table, row) => void inserts[table].run(...row))
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}
