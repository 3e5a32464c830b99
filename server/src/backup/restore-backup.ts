import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { extract } from 'tar'

import { BackupDamaged, checkDatabase, countRows } from './database-store.ts'
import { makeStaging } from './make-staging.ts'
import { checkManifest, type Manifest } from './manifest.ts'

/** The restore must not write to the data folder. The message says why and what to do. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused'
}

/** A further check; it gets the folder of the unpacked backup. */
type Check = (folder: string) => Promise<void>

/**
 * Unpacks a backup, checks every file and the database, runs `check`, and changes nothing else.
 * @throws BackupDamaged
 */
export async function verifyBackup(
  file: string,
  dataDir: string,
  { check, now }: { check: Check; now: Date },
): Promise<Manifest> {
  return await unpacked(file, dataDir, { check, now }, async (_folder, manifest) => await Promise.resolve(manifest))
}

/**
 * Puts a verified backup into the data folder, which no other process may use meanwhile. Existing files are replaced only
 * with `replace`: they are moved to `replaced-…` next to the new data.
 * @throws RestoreRefused, BackupDamaged before anything changes
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  { check, replace, now }: { check: Check; replace: boolean; now: Date },
): Promise<Manifest> {
  const there = await contentsOf(dataDir)
  if (there.length > 0 && !replace) {
    throw new RestoreRefused(
      `${dataDir} is not empty (${there[0] ?? ''}). Name another DATA_DIR, or add --replace: what is there is kept beside it.`,
    )
  }
  return await unpacked(file, dataDir, { check, now }, async (folder, manifest) => {
    await moveInto(dataDir, there, join(dataDir, `replaced-${now.toISOString().replaceAll(/[-:.]/gu, '')}`))
    // The database last: a folder without it is not an instance.
    for (const name of ['images', 'keys', 'marquee.db']) {
      if (existsSync(join(folder, name))) await rename(join(folder, name), join(dataDir, name))
    }
    return manifest
  })
}

async function unpacked<T>(
  file: string,
  dataDir: string,
  { check, now }: { check: Check; now: Date },
  use: (folder: string, manifest: Manifest) => Promise<T>,
): Promise<T> {
  const folder = await makeStaging(dataDir, 'restore', now)
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      filter: (_path, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory'),
    }).catch((error: unknown) => {
      throw new BackupDamaged(`${file} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`)
    })
    const manifest = await checkManifest(folder)
    if (manifest.files['marquee.db'] === undefined) throw new BackupDamaged('There is no database in the backup.')
    checkDatabase(join(folder, 'marquee.db'))
    checkRows(join(folder, 'marquee.db'), manifest)
    await check(folder)
    return await use(folder, manifest)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function checkRows(database: string, { rows = {} }: Manifest): void {
  const found = countRows(database)
  const table = Object.keys(rows).find((name) => found[name] !== rows[name])
  if (table === undefined) return
  throw new BackupDamaged(`${table} in the backup has ${found[table] ?? 'no'} rows, and had ${rows[table]}.`)
}

async function contentsOf(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  return (await readdir(folder)).filter((name) => !name.startsWith('.') && !name.startsWith('replaced-'))
}

async function moveInto(folder: string, names: readonly string[], target: string): Promise<void> {
  if (names.length === 0) return
  await mkdir(target, { mode: 0o700 })
  for (const name of names) await rename(join(folder, name), join(target, name))
}
