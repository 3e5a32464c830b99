import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { codeOf } from '@marquee/platform/runtime/reason-of'

const FILE = /^marquee-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.tar$/u
const UNVERIFIED = '.unverified'
const LEFTOVER = /^marquee-\d{8}T\d{9}Z\.tar\.unverified/u

/** A verified backup of the schedule. */
type KeptBackup = { readonly path: string; readonly madeAt: Date }

/** The path of a scheduled backup, and its path until it is verified. */
export function pathsOf(dataDir: string, madeAt: Date): { verified: string; unverified: string } {
  const verified = join(folderOf(dataDir), `marquee-${madeAt.toISOString().replaceAll(/[-:.]/gu, '')}.tar`)
  return { verified, unverified: `${verified}${UNVERIFIED}` }
}

/** The verified backups of the schedule, newest first. Other files in the folder are none, whatever they are. */
async function listBackups(dataDir: string): Promise<KeptBackup[]> {
  const backups = (await namesIn(folderOf(dataDir))).flatMap((name) => {
    const [, ...parts] = FILE.exec(name) ?? []
    const [year, month, day, hour, minute, second, ms] = parts
    if (ms === undefined) return []
    const madeAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
    return [{ path: join(folderOf(dataDir), name), madeAt }]
  })
  return backups.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime())
}

/** The newest one. Those of a clock that was ahead of time say nothing about the last hours. */
export async function newestBackup(dataDir: string, now: Date): Promise<KeptBackup | undefined> {
  return (await listBackups(dataDir)).find(({ madeAt }) => madeAt <= now)
}

/** Removes all but the newest backups of the schedule. */
export async function removeOldBackups(dataDir: string, keep: number): Promise<void> {
  for (const { path } of (await listBackups(dataDir)).slice(keep)) await rm(path)
}

/** Removes what killed or failed attempts left. */
export async function removeUnverified(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir)
  for (const name of await namesIn(folder)) if (LEFTOVER.test(name)) await rm(join(folder, name), { force: true })
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
}

export function folderOf(dataDir: string): string {
  return join(dataDir, 'backups')
}
