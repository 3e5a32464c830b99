import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import type { Clock } from '@marquee/platform/runtime/clock'
import { HOUR_MS } from '@marquee/platform/runtime/durations'
import { codeOf } from '@marquee/platform/runtime/reason-of'

import { newestBackup } from '../backup/kept-backups.ts'
import { openBackupPlace } from '../backup-place.ts'
import type { Settings } from '../settings/settings.ts'
import { type Finding, ok, problem, unused, warning } from './finding.ts'

const MEGABYTE = 1_000_000
/** With less, SQLite and uploads fail soon. */
const TOO_LITTLE_MB = 100
const LITTLE_MB = 500
/** What an upgrade of the embedded database may need, as a multiple of its size (docs/operating.md). */
const UPGRADE_TIMES = 5
/** A smaller clock difference harms neither tokens, authenticator codes nor the due times of queues. */
const CLOCK_WARNING_SECONDS = 5
const CLOCK_PROBLEM_SECONDS = 30

/** If a backup is this many intervals old, the schedule has failed several times, or the server was off. */
const LATE_TIMES = 2

/** The space of the data folder, and whether this user may write there. */
export async function checkDisk(dataDir: string): Promise<Finding> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = codeOf(error) ?? ''
    return code === 'ENOENT'
      ? warning(`There is no folder ${dataDir} yet. The first start makes it; otherwise correct DATA_DIR.`)
      : problem(`${dataDir} cannot be written to (${code}). Give it to the user of the server, or change DATA_DIR.`)
  }
  const { bavail, bsize } = await statfs(dataDir)
  const free = Math.floor((bavail * bsize) / MEGABYTE)
  const said = `${dataDir} has ${free} MB of free space`
  if (free < TOO_LITTLE_MB) return problem(`${said}. Make room: writes fail without it.`)
  const needed = Math.max(LITTLE_MB, Math.ceil((await sizeOf(join(dataDir, 'marquee.db'))) / MEGABYTE) * UPGRADE_TIMES)
  if (free < needed) return warning(`${said}. Make room: an upgrade or a backup may need ${needed} MB.`)
  return ok(`${said}, and can be written to.`)
}

/** Compares the clock of this machine with others, each given as how many seconds this one is ahead. */
export function judgeClock(ahead: readonly { of: string; seconds: number }[]): Finding {
  const [worst] = ahead.toSorted((one, other) => Math.abs(other.seconds) - Math.abs(one.seconds))
  if (!worst) return ok('Nothing to compare it with on another machine.')
  const seconds = Math.round(Math.abs(worst.seconds))
  if (seconds < CLOCK_WARNING_SECONDS) return ok(`As at ${ahead.map(({ of }) => of).join(' and ')}.`)
  const said = `This machine is ${seconds} seconds ${worst.seconds > 0 ? 'ahead of' : 'behind'} ${worst.of}. Synchronise both (NTP)`
  return seconds < CLOCK_PROBLEM_SECONDS ? warning(`${said}.`) : problem(`${said}: codes and tokens fail otherwise.`)
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

/** Whether the scheduled backups are made. */
export async function checkBackup(settings: Settings, clock: Clock): Promise<Finding> {
  const { BACKUP_EVERY: everyMs } = settings
  if (everyMs === undefined) return unused('BACKUP_EVERY is not set. Make backups by hand or with other tools.')
  const newest = await newestBackup(await openBackupPlace(settings), clock.now())
  if (!newest)
    return warning('There is none yet. The server makes the first at its start; its log says why it could not.')
  const ageMs = clock.now().getTime() - newest.madeAt.getTime()
  const said = `The last verified one is ${Math.floor(ageMs / HOUR_MS)} hours old`
  return ageMs > LATE_TIMES * everyMs ? problem(`${said}. The log of the server says why.`) : ok(`${said}.`)
}
