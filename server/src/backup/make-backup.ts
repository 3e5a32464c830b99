import { constants } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { create } from 'tar'

import type { Random } from '@marquee/platform/runtime/random'

import { installationIdFile } from '../installation/marks.ts'
import { checkDatabase } from './database-store.ts'
import { isDraft } from './folder-place.ts'
import { makeStaging } from './make-staging.ts'
import { type Manifest, writeManifest } from './manifest.ts'

/** What a backup is made of. */
export type Instance = {
  readonly dataDir: string
  /** Whether the images are in the data folder. */
  readonly hasImages: boolean
  /** The file of the master key, if that is to be in the backup. */
  readonly keyFile: string | undefined
  /** Writes the database to a file of SQLite. Returns how many rows each table had. */
  readonly copyDatabase: (to: string) => Promise<Readonly<Record<string, number>>>
}

/**
 * Writes one archive with the database of an instance, which may be running, and with images and master key as far as
 * they are to be in it. It has everything that was acknowledged before it began. The file appears complete or not at all,
 * readable by its owner.
 */
export async function makeBackup(
  { dataDir, hasImages, keyFile, copyDatabase }: Instance,
  file: string,
  { now, random }: { now: Date; random: Random },
): Promise<Manifest> {
  // On the same disk as the images, so that they can be linked instead of copied.
  const staging = await makeStaging(dataDir, isDraft(file, dataDir) ? 'scheduled' : 'backup', now)
  const draft = `${file}.${random.uuid()}`
  try {
    const keepImages = async (): Promise<void> => {
      if (hasImages) await linkImages(join(dataDir, 'images'), join(staging, 'images'))
    }
    // Before the database, because a sweep may remove an image of it that is replaced meanwhile; and after it, for new images.
    await keepImages()
    const rows = await copyDatabase(join(staging, 'marquee.db'))
    checkDatabase(join(staging, 'marquee.db'))
    await keepImages()
    await mkdir(join(staging, 'keys'), { mode: 0o700 })
    if (keyFile !== undefined) await copyFile(keyFile, join(staging, 'keys', 'master.key'))
    // A version without this file has not been started yet.
    await copyFile(installationIdFile(dataDir), installationIdFile(staging)).catch(ignoreMissing)
    const manifest = await writeManifest(staging, { madeAt: now, rows })
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

/** Links the images that are not linked yet. */
async function linkImages(from: string, to: string): Promise<void> {
  const homes = await readdir(from, { withFileTypes: true }).catch(ignoreMissing)
  for (const home of homes ?? []) {
    // Files outside the sub-folders are unfinished writes.
    if (!home.isDirectory()) continue
    await mkdir(join(to, home.name), { recursive: true, mode: 0o700 })
    const there = new Set(await readdir(join(to, home.name)))
    for (const name of await readdir(join(from, home.name))) {
      if (there.has(name)) continue
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
