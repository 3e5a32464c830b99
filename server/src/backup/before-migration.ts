import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { checkDatabase, copyDatabase, readSchemaVersion } from './database-store.ts'

/** How many of these backups are kept. */
const KEPT = 3
const FILE = /^before-migration-.+\.db$/u
const DRAFT = /^before-migration-.+\.part(?:-journal)?$/u

/**
 * Copies the embedded database to `DATA_DIR/backups/` and checks the copy, before its tables are changed. Gives the
 * path. The three newest are kept. The copy of an attempt that did not succeed makes room for that of the next attempt,
 * so repeated attempts fill no disk and cost no older backup.
 * @throws BackupDamaged when the copy is not whole: then nothing may be changed.
 */
export async function backUpBeforeMigration(dataDir: string, now: Date): Promise<string> {
  const folder = join(dataDir, 'backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `before-migration-${now.toISOString().replaceAll(/[-:.]/gu, '')}.db`)
  const draft = `${path}.part`
  await removeDrafts(folder)
  try {
    await copyDatabase(join(dataDir, 'marquee.db'), draft)
    checkDatabase(draft)
    await rename(draft, path)
  } catch (error) {
    await removeDrafts(folder)
    throw error
  }
  await removeReplaced(folder, path)
  return path
}

async function removeReplaced(folder: string, newest: string): Promise<void> {
  const earlier = (await readdir(folder))
    .filter((name) => FILE.test(name) && join(folder, name) !== newest)
    .map((name) => join(folder, name))
    .toSorted()
  const last = earlier.at(-1)
  // The tables are as before the last attempt: it did not succeed, or was rolled back.
  const isRepeated = last !== undefined && readSchemaVersion(last) === readSchemaVersion(newest)
  const older = isRepeated ? earlier.slice(0, -1) : earlier
  for (const path of earlier) if (!older.slice(1 - KEPT).includes(path)) await rm(path)
}

/** What a start left that failed or was killed: it would take the room that the next one needs. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (DRAFT.test(name)) await rm(join(folder, name), { force: true })
}
