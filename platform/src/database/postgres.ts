import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

import { watchForDamage } from '../runtime/outage.ts'
import type { Database } from './database.ts'
import { connectionsTo } from './postgres-hosts.ts'
import { PreparingClient } from './preparing-client.ts'
import { arrival, Sent } from './sent.ts'
import { type Runner, runStatementsBy } from './statement-runner.ts'

const INT8_OID = 20
const RETRYABLE = new Set<string | undefined>(['40001', '40P01'])
const TRANSACTION_ABORTED = '25P02'
const ATTEMPTS = 5
/** The longest pause before the second attempt. It doubles with each further attempt. */
const FIRST_PAUSE_MS = 20
/** A request waits this long for a connection, then `SILENCE_MS` for a reply: less than five seconds in total. */
const CONNECT_MS = 2_000
const SILENCE_MS = 2_500
/** The server cancels a statement shortly before the client gives up the connection, so that the connection survives. */
const STATEMENT_SHARE = 0.9
/** For the few statements whose work grows with the data. */
const LONG_MS = 60_000
/** Releases the locks of a process whose machine disappeared. */
const IDLE_IN_TRANSACTION_MS = 5_000

const TYPES: pg.CustomTypesConfig = {
  // Counts and versions fit into a double, so rows are the same on both databases.
  getTypeParser: (oid, format): ((value: string) => unknown) =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
}

export type PostgresOptions = {
  onIdleError: (error: Error) => void
  /** Called once, when a statement finds the database damaged. */
  onDamage?: (error: unknown) => void
  /** How long a statement may take. */
  silenceMs?: number
  /** The class of its connections. By default the URL decides. */
  Client?: typeof PreparingClient
}

/** Opens PostgreSQL 15 or later. Conflicts between transactions are retried a few times before they become an error. */
export function openPostgres(
  url: string,
  { onIdleError, onDamage, silenceMs = SILENCE_MS, ...own }: PostgresOptions,
): Database<unknown> {
  const damage = watchForDamage(onDamage)
  const makePool = (options: pg.PoolConfig): pg.Pool => {
    const connection = { ...connectionsTo(url), connectionTimeoutMillis: CONNECT_MS, types: TYPES }
    const pool = new pg.Pool({ ...connection, ...own, ...options })
    pool.on('error', onIdleError)
    pool.on('connect', (client) => {
      // A connection that breaks between two statements of a transaction emits an error event, which would end the process
      // without a listener. The next statement rejects, and the pool replaces the connection.
      client.on('error', () => undefined)
      if (client instanceof PreparingClient) client.connection.on('errorMessage', damage.lookAt)
    })
    return pool
  }
  const pool = makePool({
    max: 10,
    pipeline: true,
    statement_timeout: silenceMs * STATEMENT_SHARE,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  })
  pool.on('acquire', (client) => {
    if (client instanceof PreparingClient) client.waitAtMost(silenceMs)
  })
  pool.on('release', (_error, client) => {
    if (client instanceof PreparingClient) client.waitAtMost(Infinity)
  })
  const read = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
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
  // Changing a large table, or waiting for another process that does, may be silent for long.
  const schema = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: async () => await Promise.resolve(makePool({ max: 1, keepAlive: true })) }),
  })

  async function transaction<T>(work: (trx: Kysely<unknown>) => Promise<T | Sent<T>>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runAlone(await pool.connect(), work)
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error
        // A random pause, so that transactions that conflicted do not conflict again.
        await pause(randomInt(1, FIRST_PAUSE_MS * 2 ** (attempt - 1) + 1))
      }
    }
  }

  const database: Database<unknown> = {
    dialect: 'postgres',
    read,
    schema,
    transaction,
    isDamaged: damage.isFound,
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

/** One attempt at a transaction: begins, works and commits on `client`, and returns it to the pool. */
async function runAlone<T>(client: pg.PoolClient, work: (trx: Kysely<unknown>) => Promise<T | Sent<T>>): Promise<T> {
  let broken: unknown
  const { query, end, firstFailure } = lend(client)
  try {
    // Not awaited: the first statement is sent right after it.
    const begun = client.query('begin')
    const trx = kyselyOver(query, {
      takeTime: async () => {
        if (client instanceof PreparingClient) client.waitAtMost(LONG_MS)
        await query(`set local statement_timeout = ${LONG_MS * STATEMENT_SHARE}`)
      },
    })
    const [result] = await Promise.all([work(trx), begun])
    if (result instanceof Sent && !result.hasLeft) await result.value
    end()
    const [{ command }, value] = await Promise.all([client.query('commit'), arrival(result)])
    if (command !== 'COMMIT') throw new Error('A statement failed, and the work went on')
    return value
  } catch (error) {
    end()
    await client.query('rollback').catch((fault: unknown) => void (broken = fault))
    // Statements sent after the failed one report only that the transaction is aborted, and may report it first.
    throw codeOf(error) === TRANSACTION_ABORTED ? (firstFailure() ?? error) : error
  } finally {
    client.release(broken !== undefined)
  }
}

type Lent = { query: pg.PoolClient['query']; end: () => void; firstFailure: () => unknown }

/** The queries of a connection until `end`. After that the connection may belong to another transaction. */
function lend(client: pg.PoolClient): Lent {
  let isOver = false
  let failure: unknown
  return {
    query: (...given: unknown[]) => {
      if (isOver) throw new Error('This connection has been given back')
      const result = client.query(...(given as [string]))
      result.catch((error: unknown) => void (failure ??= error))
      return result as never
    },
    end: () => {
      isOver = true
    },
    firstFailure: () => failure,
  }
}

/** Kysely on one connection, which accepts statements while earlier ones are running. */
function kyselyOver(query: pg.PoolClient['query'], runner: Omit<Runner, 'run'> = {}): Kysely<unknown> {
  const client = { query, release: () => undefined } as unknown as PostgresPoolClient
  const pool = { connect: async () => client, end: async () => undefined, options: {} }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  runStatementsBy(db, {
    run: async ({ sql, parameters }) => (await query<object>(sql, [...parameters])).rows,
    ...runner,
  })
  return db
}

function isConflict(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
