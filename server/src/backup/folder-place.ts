import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { codeOf } from '@marquee/platform/runtime/reason-of'

import { backupsAmong, type BackupPlace, nameOf, UNVERIFIED } from './kept-backups.ts'
import { removeScheduledStaging } from './make-staging.ts'

const LEFTOVER = /^marquee-\d{8}T\d{9}Z\.tar\.unverified/u

/** The folder of the backups of a data folder, and of drafts for any place. */
export function folderOf(dataDir: string): string {
  return join(dataDir, 'backups')
}

/** Where a backup is written before it counts. */
export function draftOf(dataDir: string, madeAt: Date): string {
  return join(folderOf(dataDir), `${nameOf(madeAt)}${UNVERIFIED}`)
}

/** Whether a file is the draft of an attempt of the schedule. */
export function isDraft(file: string, dataDir: string): boolean {
  return dirname(resolve(file)) === resolve(folderOf(dataDir)) && LEFTOVER.test(basename(file))
}

/** Removes the drafts that killed or failed attempts left, and their temporary folders. */
export async function removeDrafts(dataDir: string): Promise<void> {
  await removeScheduledStaging(dataDir)
  const folder = folderOf(dataDir)
  for (const name of await namesIn(folder)) if (LEFTOVER.test(name)) await rm(join(folder, name), { force: true })
}

/** The data folder as the place of backups. */
export function folderPlace(dataDir: string): BackupPlace {
  const folder = folderOf(dataDir)
  return {
    isWithoutKey: false,
    list: async () => backupsAmong(await namesIn(folder)),
    keep: async ({ path, madeAt }, verify) => {
      await verify()
      const kept = join(folder, nameOf(madeAt))
      await rename(path, kept)
      return kept
    },
    remove: async (name) => await rm(join(folder, name)),
    removeUnverified: async () => await removeDrafts(dataDir),
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
}
