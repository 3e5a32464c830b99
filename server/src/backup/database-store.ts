import { chmod } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

import { Refusal } from '@marquee/platform/runtime/refusal'

/** All pages in one step: otherwise a concurrent write restarts the copy. */
const ALL_PAGES = 2 ** 31 - 1

/** A file is not a backup, or a damaged one. The message says what was found. */
export class BackupDamaged extends Refusal {
  override readonly name = 'BackupDamaged'
}

/** The same as `copyDatabase`, and returns how many rows each table has. */
export async function copyAndCount(from: string, to: string): Promise<Record<string, number>> {
  await copyDatabase(from, to)
  return countRows(to)
}

/**
 * Copies an embedded database, also while other processes write to it. The copy has every transaction that was committed
 * before, and no partial one. Only its owner may read it. Reading it makes no files beside it, as a write-ahead log would:
 * with Node 20 they stayed.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from)
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  await chmod(to, 0o600)
  const copy = new DatabaseSync(to)
  try {
    copy.exec('pragma journal_mode = delete')
  } finally {
    copy.close()
  }
}

/** @throws BackupDamaged if the file is not a valid database, or a row refers to a missing one. */
export function checkDatabase(path: string): void {
  try {
    const database = new DatabaseSync(path)
    try {
      const [verdict] = database.prepare('pragma integrity_check(1)').all()
      if (verdict?.['integrity_check'] !== 'ok') {
        throw new BackupDamaged(`The database in the backup is damaged: ${String(verdict?.['integrity_check'])}`)
      }
      const [orphan] = database.prepare('pragma foreign_key_check').all()
      if (orphan) throw new BackupDamaged(`A row of ${String(orphan['table'])} in the backup refers to none.`)
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof BackupDamaged || !(error instanceof Error)) throw error
    throw new BackupDamaged(`The database in the backup cannot be read: ${error.message}`)
  }
}

/** The migrations that have run in an embedded database, as text that can be compared with another's. */
export function readSchemaVersion(path: string): string {
  const database = new DatabaseSync(path)
  const names = (query: string): string[] =>
    database
      .prepare(query)
      .all()
      .map(({ name }) => String(name))
  try {
    const lists = names('select name from sqlite_master order by name').filter((name) => name.endsWith('_migration'))
    return JSON.stringify(lists.map((list) => [list, names(`select name from "${list}" order by name`)]))
  } finally {
    database.close()
  }
}

/** How many rows each table of an embedded database has. */
export function countRows(path: string): Record<string, number> {
  const database = new DatabaseSync(path)
  try {
    const tables = database.prepare(`select name from sqlite_master where type = 'table' order by name`).all()
    return Object.fromEntries(
      tables.map(({ name }) => {
        const row = database.prepare(`select count(*) as rows from "${String(name)}"`).get()
        return [String(name), Number(row?.['rows'])]
      }),
    )
  } finally {
    database.close()
  }
}
