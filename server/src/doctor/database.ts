import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { Database } from '@marquee/platform/database/database'
import { openDatabase } from '@marquee/platform/database/open'
import { openSqlite } from '@marquee/platform/database/sqlite'
import type { Clock } from '@marquee/platform/runtime/clock'
import { createLogger } from '@marquee/platform/runtime/logger'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { MIGRATIONS } from '../migrations/make-tables.ts'
import { MOVE_PROGRESS, MoveUnfinished } from '../migrations/unfinished-move.ts'
import type { Settings } from '../settings/settings.ts'
import { type Finding, Found, ok, problem, warning } from './finding.ts'
import { connectToLook } from './look-at-sqlite.ts'
import { askPostgres, listTables, readMigrations } from './store.ts'

const run = promisify(execFile)

/** Opens the database of the settings without changing it. @throws Found if that is not possible */
export async function openToLook({ DATABASE_URL: url, DATA_DIR: dataDir }: Settings): Promise<Database<unknown>> {
  if (url === undefined) {
    const path = join(dataDir, 'marquee.db')
    if (existsSync(path)) return openSqlite(path, { connect: connectToLook })
    throw new Found(warning(`There is no ${path} yet. The first start makes it; otherwise correct DATA_DIR.`))
  }
  try {
    return await openDatabase({ url, dataDir }, createLogger('silent'))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Found(problem(`${error.message} Start it, or correct DATABASE_URL.`))
  }
}

/** Whether the database answers, fits this version, and is whole. */
export async function checkDatabase(
  { DATABASE_URL: url, DATA_DIR: dataDir }: Settings,
  open: () => Promise<Database<unknown>>,
  signal: AbortSignal,
): Promise<Finding> {
  if (url === undefined) await quickCheck(join(dataDir, 'marquee.db'), signal)
  const { read } = await open()
  const name = url === undefined ? 'SQLite' : `PostgreSQL ${(await askPostgres(read)).version}`
  const tables = await listTables(read)
  if (tables.has(MOVE_PROGRESS)) return problem(new MoveUnfinished().message)
  const done = await Promise.all(
    Object.keys(MIGRATIONS).map(async (part) => ({
      part,
      names: tables.has(`${part}_migration`) ? await readMigrations(read, part) : [],
    })),
  )
  return judgeMigrations(name, done)
}

/** How many seconds this machine is ahead of PostgreSQL. */
export async function secondsAhead(database: Database<unknown>, clock: Clock): Promise<number> {
  const before = clock.now().getTime()
  const { time } = await askPostgres(database.read)
  return ((before + clock.now().getTime()) / 2 - time) / 1000
}

function judgeMigrations(name: string, done: readonly { part: string; names: readonly string[] }[]): Finding {
  const newer = done.flatMap(({ part, names }) => names.filter((one) => !Object.hasOwn(MIGRATIONS[part] ?? {}, one)))
  if (newer.length > 0)
    return problem(
      `${name} was brought up to date by a newer version (${newer[0]}). Start that version, or restore the backup from before.`,
    )
  if (done.every(({ names }) => names.length === 0))
    return warning(`${name} is empty. The first start makes the tables; otherwise correct DATA_DIR or DATABASE_URL.`)
  const pending = done.reduce(
    (sum, { part, names }) => sum + Object.keys(MIGRATIONS[part] ?? {}).length - names.length,
    0,
  )
  if (pending > 0) return warning(`${name} lacks ${pending} changes of this version. Start the server: it makes them.`)
  return ok(`${name} answers and has the tables of this version${name === 'SQLite' ? '; its file is whole' : ''}.`)
}

async function quickCheck(path: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(path)) return
  const program = join(import.meta.dirname, 'quick-check.ts')
  const verdict = await run(process.execPath, [program, path], { signal, killSignal: 'SIGKILL' }).then(
    ({ stdout }) => stdout.trim(),
    (error: unknown) => {
      if (signal.aborted) throw error
      return /^Error: (.+)$/mu.exec(reasonIn(error))?.[1] ?? 'it cannot be read'
    },
  )
  if (verdict === 'ok') return
  throw new Found(problem(`${path} is damaged: ${verdict}. Stop the server and restore a backup.`))
}

function reasonIn(error: unknown): string {
  return error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
}
