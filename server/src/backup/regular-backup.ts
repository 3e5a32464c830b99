import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'
import { join } from 'node:path'

import type { Clock } from '@marquee/platform/runtime/clock'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'
import { OPENED_BY_NO_KEY } from '@marquee/platform/sealed/reseal'

import { draftOf, folderOf, removeDrafts } from './folder-place.ts'
import { type BackupPlace, byTrust, newestBackup } from './kept-backups.ts'

const COMMAND = join(import.meta.dirname, '../cli/marquee.ts')

/** `dataDir` has the drafts. */
export type BackupSchedule = { readonly dataDir: string; readonly everyMs: number; readonly keep: number }
type Ports = { readonly clock: Clock; readonly logger: Logger; readonly place: BackupPlace }

/** Runs `work` if no other process backs up the same instance; otherwise it resolves to false at once. */
export type IfAlone = (work: () => Promise<void>) => Promise<boolean>

export type RegularBackup = {
  /** Seconds since the last verified backup; infinite if there is none. */
  readonly ageSeconds: () => Promise<number>
  /** Ends the running attempt, which then does not count. Does not wait for a bucket. */
  readonly stop: () => Promise<void>
}

/**
 * Backs up the instance of this process at regular times, unless another process does. After a failure it tries again within
 * an hour.
 */
export function startRegularBackup(ports: Ports, ifAlone: IfAlone, schedule: BackupSchedule): RegularBackup {
  const { clock, logger, place } = ports
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let nextAt = 0
  /** The newest backup at the last look. */
  let newest: { madeAt: Date | undefined } | undefined

  /** When the next backup is due. */
  async function lookAtPlace(): Promise<number> {
    newest = { madeAt: (await unlessEnded(stopping.signal, newestBackup(place, clock.now())))?.madeAt }
    return newest.madeAt ? newest.madeAt.getTime() + schedule.everyMs : -Infinity
  }

  async function runIfDue(): Promise<void> {
    const now = clock.now().getTime()
    // A time further ahead comes from a clock that was set back since.
    if (now < nextAt && nextAt <= now + HOUR_MS) return
    nextAt = now + Math.min(schedule.everyMs, HOUR_MS)
    const dueAt = await lookAtPlace()
    if (now < dueAt) {
      nextAt = Math.min(nextAt, dueAt)
      return
    }
    const wasAlone = await ifAlone(async () => {
      // Another process may have made one just before.
      if (clock.now().getTime() >= (await lookAtPlace())) await backUp(ports, schedule, stopping.signal)
    })
    if (wasAlone) await lookAtPlace()
    else nextAt = now + MINUTE_MS
  }

  // The clock is read each minute, because the machine may have slept, or its clock may have been set.
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
      if (!newest) await lookAtPlace()
      const madeAt = newest?.madeAt
      return madeAt ? (clock.now().getTime() - madeAt.getTime()) / SECOND_MS : Infinity
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
  { clock, logger, place }: Ports,
  { dataDir, keep }: BackupSchedule,
  signal: AbortSignal,
): Promise<void> {
  const madeAt = clock.now()
  const path = draftOf(dataDir, madeAt)
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 })
  await removeDrafts(dataDir)
  await unlessEnded(signal, place.removeUnverified())
  let verifying: Promise<string> | undefined
  const verify = async (): Promise<void> => {
    verifying = runCommand(['restore', path, '--verify'], signal)
    const said = await verifying
    const unopened = said.split('\n').filter((line) => line.includes(OPENED_BY_NO_KEY))
    if (unopened.length > 0) logger.warn({ unopened }, 'the backup has values that no master key opens')
  }
  let kept: string
  try {
    await runCommand(['backup', path, ...(place.isWithoutKey ? ['--without-key'] : [])], signal)
    kept = await unlessEnded(signal, place.keep({ path, madeAt }, verify, signal))
  } finally {
    await verifying?.catch(() => undefined)
    await removeDrafts(dataDir)
  }
  await unlessEnded(signal, removeOldest(place, { keep, madeAt, now: clock.now() }))
  logger.info({ file: kept }, 'a backup was made and verified')
}

/** Never removes the one just made, also if the clock was set back meanwhile. */
async function removeOldest(
  place: BackupPlace,
  { keep, madeAt, now }: { keep: number; madeAt: Date; now: Date },
): Promise<void> {
  const others = (await place.list()).filter((backup) => backup.madeAt.getTime() !== madeAt.getTime())
  for (const { name } of byTrust(others, now).slice(keep - 1)) await place.remove(name)
}

/** Rejects as soon as the signal aborts, and does not wait for the work, which may hang with a bucket. */
async function unlessEnded<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => {
    ended.reject(signal.reason)
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/**
 * Runs a command of the operator in a process of its own with little priority: copying and checking a database would
 * stop this one. It has the environment of this process, and so the same settings. Resolves to what it printed.
 */
async function runCommand(args: readonly string[], signal: AbortSignal): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    let settle = (): void => undefined
    const child = execFile(process.execPath, [COMMAND, ...args], { signal }, (error, stdout, stderr) => {
      settle = () => {
        if (error) reject(new Error(stderr.trim() === '' ? error.message : stderr.trim(), { cause: error }))
        else resolve(stdout)
      }
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) settle()
    })
    // An ended command still writes until its process is gone.
    child.once('exit', () => {
      settle()
    })
    if (child.pid !== undefined) lowerPriority(child.pid)
  })
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, priorityOfBackups(getPriority()))
  } catch {
    // The child has ended, or this system does not let it be changed. The backup matters more.
  }
}

/** Only an administrator may raise a priority, so if the server runs with less, backups keep that. */
export function priorityOfBackups(ofServer: number): number {
  return Math.max(ofServer, constants.priority.PRIORITY_BELOW_NORMAL)
}
