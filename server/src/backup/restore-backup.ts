import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

import { extract } from 'tar'

import { Refusal } from '@marquee/platform/runtime/refusal'

import { BackupDamaged, checkDatabase, countRows } from './database-store.ts'
import { isDraft } from './folder-place.ts'
import { type Archive, readArchive } from './read-archive.ts'
import { makeStaging } from './make-staging.ts'
import { checkManifest, type Manifest } from './manifest.ts'

/** A further check; it gets the folder of the unpacked backup. */
type Check = (folder: string) => Promise<void>

const MEGABYTE = 1_000_000

/**
 * Checks every file of a backup and the database, runs `check`, and changes nothing else. Images are not unpacked.
 * @throws Refusal, BackupDamaged
 */
export async function verifyBackup(
  file: string,
  dataDir: string,
  { check, now }: { check: Check; now: Date },
): Promise<Manifest> {
  const leaveOut = isImage
  return await unpacked(
    file,
    dataDir,
    { check, now, leaveOut },
    async (_folder, manifest) => await Promise.resolve(manifest),
  )
}

/**
 * Puts a verified backup into the data folder, which no other process may use meanwhile. Existing files are replaced only
 * with `replace`: they are moved to `replaced-…` next to the new data. `keyFile`, the master key of the settings, stays where
 * it is, unless the backup has a file there.
 * @throws Refusal, BackupDamaged before anything changes
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  { check, replace, now, keyFile }: { check: Check; replace: boolean; now: Date; keyFile?: string | undefined },
): Promise<Manifest> {
  const there = await contentsOf(dataDir)
  if (there.length > 0 && !replace) {
    throw new Refusal(
      `${dataDir} is not empty (${there[0] ?? ''}). Name another DATA_DIR, or add --replace: what is there is kept beside it.`,
    )
  }
  return await unpacked(file, dataDir, { check, now }, async (folder, manifest) => {
    const kept = keyFile === undefined ? undefined : await copyInto(folder, keyFile, dataDir)
    await moveInto(dataDir, there, join(dataDir, `replaced-${now.toISOString().replaceAll(/[-:.]/gu, '')}`))
    // The database last: a folder without it is not an instance.
    for (const name of new Set(['images', 'keys', ...(kept === undefined ? [] : [kept]), 'marquee.db'])) {
      if (existsSync(join(folder, name))) await rename(join(folder, name), join(dataDir, name))
    }
    return manifest
  })
}

async function unpacked<T>(
  file: string,
  dataDir: string,
  { check, now, leaveOut = () => false }: { check: Check; now: Date; leaveOut?: (path: string) => boolean },
  use: (folder: string, manifest: Manifest) => Promise<T>,
): Promise<T> {
  const folder = await makeStaging(dataDir, isDraft(file, dataDir) ? 'scheduled' : 'restore', now)
  const unreadable = (error: unknown): never => {
    throw new BackupDamaged(`${file} cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    const archive = await readArchive(file, leaveOut).catch(unreadable)
    await refuseWithoutRoom(folder, archive)
    await extract({
      file,
      cwd: folder,
      strict: true,
      filter: (path, entry) =>
        'type' in entry && (entry.type === 'File' || entry.type === 'Directory') && !leaveOut(path),
    }).catch(unreadable)
    const manifest = await checkManifest(folder, archive.hashes)
    if (manifest.files['marquee.db'] === undefined) throw new BackupDamaged('There is no database in the backup.')
    checkDatabase(join(folder, 'marquee.db'))
    checkRows(join(folder, 'marquee.db'), manifest)
    await check(folder)
    return await use(folder, manifest)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The check of the values needs a copy of the database beside the unpacked files. */
async function refuseWithoutRoom(folder: string, { unpackedBytes, databaseBytes }: Archive): Promise<void> {
  const needed = Math.ceil((unpackedBytes + databaseBytes) / MEGABYTE)
  const { bavail, bsize } = await statfs(folder)
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  if (free >= needed) return
  throw new Refusal(
    `The backup needs ${needed} MB of free space in ${dirname(folder)}, and there are ${free} MB. Nothing was changed.`,
  )
}

function isImage(path: string): boolean {
  return path.startsWith('images/') || path.startsWith('./images/')
}

/**
 * Copies a file of the data folder into the unpacked backup, unless it is elsewhere or the backup has it. Returns the first
 * part of its path in the data folder.
 */
async function copyInto(folder: string, file: string, dataDir: string): Promise<string | undefined> {
  const path = relative(dataDir, file)
  // What begins with a dot is outside, or is not moved aside.
  if (path.startsWith('.') || existsSync(join(folder, path)) || !existsSync(file)) return undefined
  await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
  await copyFile(file, join(folder, path))
  return path.split(sep)[0]
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
