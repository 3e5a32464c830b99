import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DatabaseSync,
  type DatabaseSyncOptions,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementResultingChanges,
} from 'node:sqlite'
import { setImmediate as turnOfLoop } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from './migrations/index.ts'
import { type Caller, callOk } from './testing/call.ts'
import { aUser } from './testing/make.ts'
import { startApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

const CARDS = 1_000
const TIME = '2025-01-01T12:00:00.000Z'
const [ana, ben] = [aUser('ana'), aUser('ben')]

let rowsInTurn = 0
let mostInTurn = 0

function countRows(rows: number): void {
  rowsInTurn += rows
  mostInTurn = Math.max(mostInTurn, rowsInTurn)
}

/** A connection that counts the rows which its statements read and write. A statement keeps the process busy. */
function countingConnection(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const connection = new DatabaseSync(path, options)
  const prepare = connection.prepare.bind(connection)
  connection.prepare = (...given) => {
    const statement = prepare(...given)
    const all = statement.all.bind(statement) as (...values: SQLInputValue[]) => Record<string, SQLOutputValue>[]
    const run = statement.run.bind(statement) as (...values: SQLInputValue[]) => StatementResultingChanges
    const counting = {
      all: (...values: SQLInputValue[]) => {
        const rows = all(...values)
        countRows(rows.length)
        return rows
      },
      run: (...values: SQLInputValue[]) => {
        const done = run(...values)
        countRows(Number(done.changes))
        return done
      },
    }
    return Object.assign(statement, counting)
  }
  return connection
}

/** The most rows that were read and written in one turn of the event loop. */
async function mostRowsDuring(act: () => Promise<unknown>): Promise<number> {
  const state = { isDone: false }
  mostInTurn = 0
  const acted = act().finally(() => {
    state.isDone = true
  })
  while (!state.isDone) {
    await turnOfLoop()
    rowsInTurn = 0
  }
  await acted
  return mostInTurn
}

let folder: string
let database: Database<unknown>
let app: Awaited<ReturnType<typeof startApp>>
let watchlistId: string
let importId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-slices-'))
  database = openSqlite(join(folder, 'marquee.db'), { connect: countingConnection })
  await migrate(database, 'product', productMigrations)
  app = await startApp(database, { announceAfterMs: 600_000 })
})
afterAll(async () => {
  await app.stop()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** A file with many watched movies, each of which the caller has commented on. */
function aFile() {
  const by = { changedBy: 'ana', changedAt: TIME }
  const statusChanges = (['SUGGESTED', 'REVEALED', 'WATCHED'] as const).map((status) => ({ status, ...by }))
  const comments = [{ content: 'Seen', authorId: 'ana', createdAt: TIME, updatedAt: TIME }]
  const times = { createdAt: TIME, updatedAt: TIME }
  const card = {
    description: null,
    imageUrl: 'https://example.org/a.jpg',
    status: 'WATCHED',
    creatorId: 'ana',
    ...times,
  }
  const cards = Array.from({ length: CARDS }, (_, n) => ({ ...card, title: `Film ${n}`, statusChanges, comments }))
  const watchlist = { name: 'Films', description: null, isPrivate: false, createdAt: TIME, members: [] }
  return { format: 'marquee-watchlist', version: 1, watchlist, cards }
}

const download = async (caller: Caller, path: string) => {
  const headers = { authorization: `Bearer ${testToken(caller)}` }
  expect((await app.app.inject({ url: `/api${path}`, headers })).statusCode).toBe(200)
}
const beginImport = async (by: Caller) => {
  const lines = Array.from({ length: CARDS }, (_, n) => `Movie ${n}`).join('\n')
  const body = { fileName: 'films.txt', fileData: Buffer.from(lines).toString('base64') }
  return (await callOk(app, ENDPOINTS.beginImport, by, { params: { watchlistId }, body })).id
}
const importIs = async (state: string) => {
  const params = { watchlistId, importId }
  const stateNow = async () => (await callOk(app, ENDPOINTS.getImport, ana, { params })).state
  await vi.waitUntil(async () => (await stateNow()) === state, WITHIN)
}

/** Ben becomes a member who wants all that Ana has imported. */
async function letBenWantAll(): Promise<void> {
  const body = { days: 1, maxUses: 1 }
  const { token } = await callOk(app, ENDPOINTS.createJoinLink, ana, { params: { watchlistId }, body })
  await callOk(app, ENDPOINTS.joinByLink, ben, { body: { token } })
  await sql`insert into card_wants (watchlist_id, card_id, user_id, created_at, id, username, title)
    select watchlist_id, id, ${ben.userId}, created_at, id || '-of-ben', ${ben.username}, title
    from card where status = 'SUGGESTED'`.execute(database.schema)
}

/** A call, and the most rows that it may read and write in a turn. */
type Row = [what: string, mostRows: number, act: () => Promise<unknown>, prepare?: () => Promise<void>]

/** The calls that read or write a whole watchlist or a large file, in the order in which they are made. */
const CALLS: Row[] = [
  [
    'restores a file',
    200,
    async () => {
      watchlistId = (await callOk(app, ENDPOINTS.restoreWatchlist, ana, { body: aFile() })).id
    },
  ],
  ...['json', 'csv', 'letterboxd'].map((format): Row => [
    `exports a watchlist as ${format}`,
    200,
    async () => {
      await download(ana, `/watchlists/${watchlistId}/export?format=${format}`)
    },
  ]),
  [
    'exports the cards and comments of an account',
    600,
    async () => {
      await download(ana, '/account/export')
    },
  ],
  ['counts statistics', 100, async () => await callOk(app, ENDPOINTS.getStatistics, ana, { params: { watchlistId } })],
  [
    'reads a file to import',
    600,
    async () => {
      importId = await beginImport(ana)
    },
  ],
  [
    'applies an import',
    400,
    async () => {
      await callOk(app, ENDPOINTS.applyImport, ana, { params: { watchlistId, importId } })
      await importIs('applied')
    },
  ],
  ['compares a file with a list of wants', 600, async () => await beginImport(ben), letBenWantAll],
  [
    'exports the wants of an account',
    600,
    async () => {
      await download(ben, '/account/export')
    },
  ],
  [
    'undoes an import',
    600,
    async () => {
      await callOk(app, ENDPOINTS.undoImport, ana, { params: { watchlistId, importId } })
      await importIs('undone')
    },
  ],
  [
    'deletes a watchlist',
    600,
    async () => {
      await callOk(app, ENDPOINTS.deleteWatchlist, ana, { params: { watchlistId } })
      const left = async () => (await sql`select id from watchlist`.execute(database.read)).rows.length
      await vi.waitUntil(async () => (await left()) === 0, WITHIN)
    },
  ],
]

test.each(CALLS)(
  'a call that %s reads and writes at most %i rows in a turn of the event loop',
  async (_what, mostRows, act, prepare) => {
    await prepare?.()

    expect(await mostRowsDuring(act)).toBeLessThanOrEqual(mostRows)
  },
)
