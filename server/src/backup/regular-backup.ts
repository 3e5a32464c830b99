import { execFile } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

import type { Clock } from '@marquee/platform/runtime/clock'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'

import { folderOf, newestBackup, pathsOf, removeOldBackups, removeUnverified } from './kept-backups.ts'

const COMMAND = join(import.meta.dirname, '../cli/marquee.ts')

export type BackupSchedule = { readonly dataDir: string; readonly everyMs: number; readonly keep: number }
type Ports = { readonly clock: Clock; readonly logger: Logger }

export type RegularBackup = {
  /** Seconds since the last verified backup; infinite if there is none. */
  readonly ageSeconds: () => Promise<number>
  /** Ends the running attempt, which then does not count. */
  readonly stop: () => Promise<void>
}

/** Backs up the embedded instance of this process at regular times. After a failure it tries again within an hour. */
export function startRegularBackup(ports: Ports, schedule: BackupSchedule): RegularBackup {
  const { clock, logger } = ports
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let notBefore = 0

  async function runIfDue(): Promise<void> {
    const now = clock.now().getTime()
    const newest = await newestBackup(schedule.dataDir, clock.now())
    const due = newest ? newest.madeAt.getTime() + schedule.everyMs : now
    if (now < Math.max(due, notBefore)) return
    notBefore = now + Math.min(schedule.everyMs, HOUR_MS)
    await backUp(ports, schedule, stopping.signal)
  }

  // Each minute the clock is read, so that a machine that slept or whose clock was set is not forgotten.
  function look(): void {
    running ??= runIfDue()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error({ err: error }, 'The scheduled backup failed. Older ones were kept.')
      })
      .finally(() => {
        running = undefined
      })
  }

  const timer = setInterval(look, MINUTE_MS)
  timer.unref()
  look()
  return {
    ageSeconds: async () => {
      const newest = await newestBackup(schedule.dataDir, clock.now())
      return newest ? (clock.now().getTime() - newest.madeAt.getTime()) / SECOND_MS : Infinity
    },
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/**
 * Makes one backup, verifies it by a restore into a temporary folder, and then removes the oldest. Until it is verified
 * its name says that it does not count. Rejects if a step fails; then no older backup was removed.
 */
export async function backUp(
  { clock, logger }: Ports,
  { dataDir, keep }: BackupSchedule,
  signal: AbortSignal,
): Promise<void> {
  const { verified, unverified } = pathsOf(dataDir, clock.now())
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 })
  await removeUnverified(dataDir)
  try {
    await runCommand(['backup', unverified], signal)
    await runCommand(['restore', unverified, '--verify'], signal)
    await rename(unverified, verified)
  } finally {
    await removeUnverified(dataDir)
  }
  await removeOldBackups(dataDir, keep)
  logger.info({ file: verified }, 'a backup was made and verified')
}

/**
 * Runs a command of the operator in a process of its own with little priority: copying and checking a database would
 * stop this one. It has the environment of this process, and so the same settings.
 */
async function runCommand(args: readonly string[], signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(process.execPath, [COMMAND, ...args], { signal }, (error, _stdout, stderr) => {
      if (error) reject(new Error(stderr.trim() === '' ? error.message : stderr.trim(), { cause: error }))
      else resolve()
    })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  })
}
