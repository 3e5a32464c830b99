import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const IN_MEMORY = '/dev/shm'
const GIB = 1024 ** 3
/** A run of all tests has up to 4 GiB of temporary files at once. */
const ROOM = 8 * GIB
/** What the programs use beside their files. */
const FOR_PROGRAMS = 4 * GIB
const NAME = /^marquee-tests-(?<pid>\d+)-/u

/**
 * The environment of programs whose temporary files are in memory, empty on a machine that does not have plenty. The tests
 * create hundreds of databases of hundreds of files each, and a disk takes an eighth of their processor time for that.
 */
export function filesInMemory() {
  if (process.platform !== 'linux' || !existsSync(IN_MEMORY)) return {}
  removeFoldersOfDeadRuns()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  if (bavail * bsize < ROOM || process.availableMemory() < ROOM + FOR_PROGRAMS) return {}
  const folder = mkdtempSync(join(IN_MEMORY, `marquee-tests-${process.pid}-`))
  // PostgreSQL does not run as root, and its own user passes through this folder.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return { TMPDIR: folder }
}

/** A killed run removes nothing. */
function removeFoldersOfDeadRuns() {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = NAME.exec(name)?.groups.pid
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(IN_MEMORY, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
}
