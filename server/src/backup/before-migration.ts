import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { checkDatabase, copyDatabase, readSchemaVersion } from './database-store.ts'

/** How many of these backups to keep. */
const KEPT = 3
const FILE = /^before-migration-.+\.db$/u
const DRAFT = /^before-migration-.+\.part(?:-(?:journal|shm|wal))?$/u

/**
 * Copies the embedded database to `DATA_DIR/backups/` before its tables change, and checks the copy. Returns the path.
 * The three newest backups are kept. The next attempt at a failed upgrade replaces the backup of the failed one, so
 * repeated attempts neither fill the disk nor remove older backups.
 * @throws BackupDamaged if the copy is damaged; then nothing may be changed.
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
  // The tables are as before the last attempt: it failed, or was rolled back.
  const isRepeated = last !== undefined && readSchemaVersion(last) === readSchemaVersion(newest)
  const older = isRepeated ? earlier.slice(0, -1) : earlier
  for (const path of earlier) if (!older.slice(1 - KEPT).includes(path)) await rm(path)
}

/** Removes the unfinished copy of a start that failed or was killed, because the next copy needs the space. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (DRAFT.test(name)) await rm(join(folder, name), { force: true })
}
