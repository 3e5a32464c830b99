import { constants } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { create } from 'tar'

import type { Random } from '@marquee/platform/runtime/random'

import { installationIdFile } from '../installation/marks.ts'
import { checkDatabase, copyDatabase, countRows } from './database-store.ts'
import { makeStaging } from './make-staging.ts'
import { type Manifest, writeManifest } from './manifest.ts'

/** The files of an embedded instance; `keyFile` only if the master key is in a file. */
export type Instance = { dataDir: string; keyFile: string | undefined }

/**
 * Writes one archive with the database, the images and the master key of an embedded instance, which may be running.
 * It has everything that was acknowledged before it began. The file appears complete or not at all, readable by its owner.
 */
export async function makeBackup(
  { dataDir, keyFile }: Instance,
  file: string,
  { now, random }: { now: Date; random: Random },
): Promise<Manifest> {
  // On the same disk as the images, so that they can be linked instead of copied.
  const staging = await makeStaging(dataDir, 'backup', now)
  const draft = `${file}.${random.uuid()}`
  try {
    await copyDatabase(join(dataDir, 'marquee.db'), join(staging, 'marquee.db'))
    checkDatabase(join(staging, 'marquee.db'))
    // After the database: images that it refers to exist already, and unused ones are kept for a day.
    await linkImages(join(dataDir, 'images'), join(staging, 'images'))
    await mkdir(join(staging, 'keys'), { mode: 0o700 })
    if (keyFile !== undefined) await copyFile(keyFile, join(staging, 'keys', 'master.key'))
    // A version without this file has not been started yet.
    await copyFile(installationIdFile(dataDir), installationIdFile(staging)).catch(ignoreMissing)
    const manifest = await writeManifest(staging, { madeAt: now, rows: countRows(join(staging, 'marquee.db')) })
    await create({ file: draft, cwd: staging, portable: true, strict: true, mode: 0o600 }, ['.'])
    await chmod(draft, 0o600)
    await rename(await synced(draft), file)
    await synced(dirname(file))
    return manifest
  } finally {
    await rm(draft, { force: true })
    await rm(staging, { recursive: true, force: true })
  }
}

async function linkImages(from: string, to: string): Promise<void> {
  const homes = await readdir(from, { withFileTypes: true }).catch(ignoreMissing)
  for (const home of homes ?? []) {
    // Files outside the sub-folders are unfinished writes.
    if (!home.isDirectory()) continue
    await mkdir(join(to, home.name), { recursive: true, mode: 0o700 })
    for (const name of await readdir(join(from, home.name))) {
      await linkOrCopy(join(from, home.name, name), join(to, home.name, name))
    }
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    // A sweep removed it after the folder was read, so nothing refers to it.
    if (codeOf(error) === 'ENOENT') return
    // Some file systems do not support links.
    await copyFile(from, to, constants.COPYFILE_EXCL).catch(ignoreMissing)
  }
}

/** Syncs a file or folder, so that it survives a power failure. */
async function synced(path: string): Promise<string> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return path
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
