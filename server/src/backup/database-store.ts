import { chmod } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/** All pages in one step, so that what others write meanwhile does not make it begin again. */
const ALL_PAGES = 2 ** 31 - 1

/** A backup is not whole, or is not one: the message says what was found. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged'
}

/**
 * Copies an embedded database as it is at this moment, also while others write to it: every transaction that was
 * committed before is in the copy, none is in it by half. Readable by its owner alone.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from)
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  await chmod(to, 0o600)
}

/** @throws BackupDamaged when the file is no whole database, or a row refers to one that is not there. */
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

/** The migrations that have run in an embedded database, as a text to compare with that of another. */
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
