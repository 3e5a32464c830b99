import { randomInt } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

import { Outage } from '../runtime/outage.ts'
import type { AnyDb, Database } from './database.ts'
import { connectionsTo } from './postgres-hosts.ts'
import { type RunStatement, runStatementsBy } from './statement-runner.ts'

const INT8_OID = 20
const RETRYABLE = new Set(['40001', '40P01'])
const ATTEMPTS = 5
/** Longest pause before the second attempt; twice that before the third, and so on. */
const FIRST_PAUSE_MS = 20
/** Longer than the server lets a statement run: whoever says nothing for so long is not there any more. */
const SILENCE_MS = 20_000

const TYPES: pg.CustomTypesConfig = {
  // Counts and versions fit a double; rows then look the same on both databases.
  getTypeParser: (oid, format): ((value: string) => unknown) =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
}

/** Opens PostgreSQL 15 or later. Conflicts between transactions are retried a few times before they are an error. */
export function openPostgres(
  url: string,
  { onIdleError, silenceMs = SILENCE_MS }: { onIdleError: (error: Error) => void; silenceMs?: number },
): Database<unknown> {
  const makePool = (options: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({
      ...connectionsTo(url),
      connectionTimeoutMillis: 5_000,
      types: TYPES,
      ...options,
    })
    pool.on('error', onIdleError)
    // A connection that breaks between two statements of a transaction says so by an event, which unheard would end the
    // process; the next statement rejects, and the pool replaces the connection.
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
    })
    return pool
  }
  const pool = makePool({
    max: 10,
    stream: () => impatientSocket(silenceMs),
    pipeline: true,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
  })
  const read: AnyDb = new Kysely({ dialect: new PostgresDialect({ pool }) })
  runStatementsBy(read, {
    run: async ({ sql, parameters }) => (await pool.query<object>(sql, [...parameters])).rows,
    onOneConnection: async (work) => {
      const client = await pool.connect()
      const { query, end } = lend(client)
      try {
        return await work(kyselyOver(query))
      } finally {
        end()
        client.release()
      }
    },
  })
  // Changing a large table, or waiting until another process has, may take long without a word.
  const schema: AnyDb = new Kysely({
    dialect: new PostgresDialect({ pool: async () => await Promise.resolve(makePool({ max: 1, keepAlive: true })) }),
  })

  async function transaction<T>(work: (trx: AnyDb) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runAlone(await pool.connect(), work)
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error
        // Those who met do not meet again at the same moment.
        await pause(randomInt(1, FIRST_PAUSE_MS * 2 ** (attempt - 1) + 1))
      }
    }
  }

  const database: Database<unknown> = {
    dialect: 'postgres',
    read,
    schema,
    transaction: transaction as Database<unknown>['transaction'],
    load: () => ({
      open: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
    withTables: <Other>() => database as unknown as Database<Other>,
    close: async () => {
      await Promise.all([read.destroy(), schema.destroy()])
    },
  }
  return database
}

/** One attempt at a transaction: begins, works and commits on `client`, and gives it back. */
async function runAlone<T>(client: pg.PoolClient, work: (trx: AnyDb) => Promise<T>): Promise<T> {
  let broken: unknown
  const last: Promise<unknown>[] = []
  const { query, end } = lend(client)
  try {
    // Not waited for: the first statement is sent right behind it.
    const begun = client.query('begin')
    const trx = kyselyOver(query, (statement) => {
      statement.catch(() => undefined)
      last.push(statement)
    })
    const [result] = await Promise.all([work(trx), begun])
    end()
    const [{ command }] = await Promise.all([client.query('commit'), ...last])
    if (command === 'ROLLBACK') throw new Error('A statement failed, and the work went on')
    return result
  } catch (error) {
    end()
    await client.query('rollback').catch((fault: unknown) => void (broken = fault))
    throw error
  } finally {
    client.release(broken !== undefined)
  }
}

/** The queries of a connection until `end`: after that it may be somebody else's. */
function lend(client: pg.PoolClient): { query: pg.PoolClient['query']; end: () => void } {
  let isOver = false
  return {
    query: (...given: unknown[]) => {
      if (isOver) throw new Error('This connection has been given back')
      return client.query(...(given as [string])) as never
    },
    end: () => {
      isOver = true
    },
  }
}

/** Kysely over one connection, which takes statements while earlier ones are under way. */
function kyselyOver(query: pg.PoolClient['query'], finishWithCommit?: (statement: Promise<unknown>) => void): AnyDb {
  const client = { query, release: () => undefined } as unknown as PostgresPoolClient
  const pool = { connect: async () => client, end: async () => undefined, options: {} }
  const db: AnyDb = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const run: RunStatement = async ({ sql, parameters }) => (await query<object>(sql, [...parameters])).rows
  runStatementsBy(db, { run, ...(finishWithCommit && { finishWithCommit }) })
  return db
}

/** A machine or line that went away without a word is noticed by its silence; the pool then connects anew. */
function impatientSocket(silenceMs: number): Socket {
  const socket = new Socket()
  socket.setTimeout(silenceMs, () => {
    socket.destroy(new Outage('The database does not answer', { of: 'database' }))
  })
  return socket
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && RETRYABLE.has(error.code)
}
