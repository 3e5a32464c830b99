import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { systemClock } from '@marquee/platform/runtime/clock'
import { type LockHolder, LockTaken, takeProcessLock } from '@marquee/platform/runtime/process-lock'
import { Refusal } from '@marquee/platform/runtime/refusal'

/** Files that exist in every data folder. */
const OWN_NAMES = new Set(['marquee.db', 'keys', 'images', 'outbox', 'backups', '.lock'])
const OTHERS = 0o077

/** New files are readable by this user only, whatever the shell's umask is. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}

/**
 * Keeps other processes from serving or replacing the embedded data in this folder until the returned function is called
 * or this process ends. Commands that work beside a running server do not take this lock.
 * @throws {Refusal} naming the process that has the lock
 */
export function lockDataDir(dataDir: string, purpose: string): () => void {
  try {
    return takeProcessLock(join(dataDir, '.lock'), { purpose, now: systemClock.now() })
  } catch (error) {
    if (!(error instanceof LockTaken)) throw error
    throw new Refusal(
      `${dataDir} is in use by ${describe(error.holder)}. Stop it first, or name another folder as DATA_DIR.`,
      { cause: error },
    )
  }
}

/** For commands that replace or read all embedded data. @throws {Refusal} as `lockDataDir` */
export async function whileLocked<T>(dataDir: string, purpose: string, work: () => Promise<T>): Promise<T> {
  const release = lockDataDir(dataDir, purpose)
  try {
    return await work()
  } finally {
    release()
  }
}

function describe(holder: LockHolder | undefined): string {
  if (!holder) return 'a process that is just starting'
  return `${holder.purpose} (process ${holder.pid} on ${holder.host}, since ${holder.since})`
}

/** Creates the data folder for this user only, if it does not exist. @throws {Refusal} as `closeToOthers` */
export async function openDataDir(dataDir: string, print: (text: string) => void): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await closeToOthers(dataDir, print)
}

/**
 * Removes other users' access to the data folder, and prints that it did.
 * @throws {Refusal} if this user may not do so, or the folder has files that are not Marquee's.
 */
export async function closeToOthers(dataDir: string, print: (text: string) => void): Promise<void> {
  // Windows has no such modes and always reports full access.
  if (process.platform === 'win32' || !existsSync(dataDir)) return
  const mode = (await stat(dataDir)).mode & 0o7777
  if ((mode & OTHERS) === 0) return
  const names = await readdir(dataDir)
  if (names.length > 0 && !names.some((name) => OWN_NAMES.has(name))) {
    throw new Refusal(
      `Other users may open ${dataDir} (mode ${octal(mode)}), and it holds files that are not Marquee's. ` +
        'Name a folder of its own as DATA_DIR, or close this one to others (chmod 700).',
    )
  }
  try {
    await chmod(dataDir, 0o700)
  } catch (error) {
    throw new Refusal(
      `Other users may open ${dataDir} (mode ${octal(mode)}), and this user may not change that. ` +
        'Close it to others (chown, chmod 700), or name another folder as DATA_DIR.',
      { cause: error },
    )
  }
  print(`Other users could open ${dataDir}: its mode was ${octal(mode)} and is now 0700.`)
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
