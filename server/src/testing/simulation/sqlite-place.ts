import { copyFileSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

import { type ConnectSqlite, openSqlite } from '@marquee/platform/database/sqlite'
import { type Intercept, interceptSqlite, sqliteError } from '@marquee/platform/testing/intercept-sqlite'

import { makeTables } from '../../migrations/make-tables.ts'
import { installChangeLog, openObserver } from './change-log.ts'
import { type Fault, type Step, stepOf } from './faults.ts'
import { type Place, type Process, startRun } from './place.ts'

const [BUSY, FULL] = [5, 13]
/** Data need not survive a power failure, and a disk would take most of the time. */
const MEMORY = '/dev/shm'

const FAULTS: Record<Step, readonly Fault[]> = {
  begin: ['is in conflict', 'fails', 'is killed before', 'is killed after'],
  savepoint: ['fails', 'undoes all', 'is killed before', 'is killed after'],
  statement: ['fails', 'undoes all', 'is killed before', 'is killed after'],
  release: ['fails', 'undoes all', 'is killed before', 'is killed after'],
  rollback: ['fails', 'undoes all', 'is killed before', 'is killed after'],
  commit: ['fails', 'undoes all', 'is killed before', 'is killed after'],
}

/** Seeds on SQLite, each on a copy of an empty installation. */
export async function sqlitePlace(): Promise<Place> {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'marquee-simulation-'))
  const empty = join(folder, 'empty.db')
  const database = openSqlite(empty)
  await makeTables(database)
  await installChangeLog(database.schema)
  await database.close()
  return {
    begin: async (seed) => {
      const own = await mkdtemp(join(folder, 'seed-'))
      let [latest, starts] = [empty, 0]
      const run = await startRun({
        ...seed,
        processes: 1,
        open: (process) => {
          starts += 1
          const path = join(own, `${starts}.db`)
          copyFiles(latest, path)
          latest = path
          return open(path, process)
        },
        untilQuiet: async () => undefined,
      })
      const end = async (): Promise<void> => {
        await run.end()
        await rm(own, { recursive: true, force: true })
      }
      return { ...run, end }
    },
    remove: async () => {
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The database and its write-ahead log: everything that a killed process leaves for the next one. */
function copyFiles(from: string, to: string): void {
  copyFileSync(from, to)
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
}

function open(path: string, process: Process) {
  const connections: DatabaseSync[] = []
  let isOwnStep = false

  /** What SQLite does by itself after some errors. */
  function undoAll(): void {
    isOwnStep = true
    for (const connection of connections) if (connection.isTransaction) connection.exec('rollback')
    isOwnStep = false
  }

  function die(): never {
    process.kill()
    throw new Error('The process is dead')
  }

  const intercept: Intercept = (sql, run) => {
    if (process.isDead()) throw new Error('The process is dead')
    if (isOwnStep) return run()
    const step = stepOf(sql)
    const fault = process.draw(step, FAULTS[step])
    if (fault === 'undoes all') undoAll()
    if (fault === 'undoes all' || fault === 'fails') throw sqliteError(FULL, 'database or disk is full')
    if (fault === 'is in conflict') throw sqliteError(BUSY, 'database is locked')
    if (fault === 'is killed before') die()
    const result = run()
    if (fault === 'is killed after') die()
    return result
  }

  const connect: ConnectSqlite = (...given) => {
    const connection = interceptSqlite(intercept)(...given)
    connections.push(connection)
    return connection
  }
  const database = openSqlite(path, { connect })
  const { db: observer, close } = openObserver(path)
  return { database, observer, close }
}
