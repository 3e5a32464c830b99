import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'

/** Another process may have the lock for a moment while it reads who the owner is. */
const BUSY_MS = 500
const SQLITE_BUSY = 5

/** The process that has a lock. `purpose` says what it does, in words for an operator. */
export type LockHolder = { pid: number; host: string; since: string; purpose: string }

/** Another process has the lock. */
export class LockTaken extends Error {
  override readonly name = 'LockTaken'
  readonly holder: LockHolder | undefined

  constructor(holder: LockHolder | undefined) {
    super('Another process has the lock')
    this.holder = holder
  }
}

/**
 * Takes a lock until the returned function is called or the process ends, however it ends. It is the write lock of a small
 * SQLite file. The operating system releases it with the process, and other processes can read the owner from the file.
 * @throws {LockTaken}
 */
export function takeProcessLock(path: string, { purpose, now }: { purpose: string; now: Date }): () => void {
  const file = new DatabaseSync(path, { timeout: BUSY_MS })
  try {
    file.exec('begin immediate')
    file.exec('create table if not exists holder (pid integer, host text, since text, purpose text)')
    file.exec('delete from holder')
    file
      .prepare('insert into holder (pid, host, since, purpose) values (?, ?, ?, ?)')
      .run(process.pid, hostname(), now.toISOString(), purpose)
    file.exec('commit')
    // Another process may be faster; then the file names that process.
    file.exec('begin immediate')
  } catch (error) {
    const holder = isBusy(error) ? readHolder(file) : undefined
    file.close()
    throw isBusy(error) ? new LockTaken(holder) : error
  }
  return () => {
    file.close()
  }
}

function readHolder(file: DatabaseSync): LockHolder | undefined {
  try {
    const row = file.prepare('select pid, host, since, purpose from holder').get()
    if (!row) return undefined
    return {
      pid: Number(row['pid']),
      host: String(row['host']),
      since: String(row['since']),
      purpose: String(row['purpose']),
    }
  } catch {
    // The file is being written.
    return undefined
  }
}

function isBusy(error: unknown): boolean {
  // The upper bits are the reason.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}
