import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

import { watchForDamage } from '../runtime/outage.ts'
import type { AnyDb, Database } from './database.ts'
import { connectionsTo } from './postgres-hosts.ts'
import { PreparingClient } from './preparing-client.ts'
import { batchedTransactions } from './postgres-batches.ts'
import { kyselyOver, lend, runAlone, STATEMENT_SHARE } from './postgres-transaction.ts'
import { type OnConnection, runStatementsBy } from './statement-runner.ts'

const INT8_OID = 20
/** A request waits this long for a connection, then `SILENCE_MS` for a reply: less than five seconds in total. */
const CONNECT_MS = 2_000
const SILENCE_MS = 2_500
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
  const makePool = (options: pg.PoolConfig) => openPool(url, { ...own, ...options }, { onIdleError, damage })
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
      const { db, giveBack } = await borrow(pool)
      try {
        return await work(db)
      } finally {
        giveBack()
      }
    },
    onSharedConnection: sharedConnection(pool),
  })
  // Changing a large table may be silent for long. The second connection has the lock of the upgrade.
  const schema = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: async () => await Promise.resolve(makePool({ max: 2, keepAlive: true })) }),
  })

  const batches = batchedTransactions(pool, CONNECT_MS)

  const database: Database<unknown> = {
    dialect: 'postgres',
    read,
    schema,
    transaction: async (work, { locks } = {}) =>
      await (locks === undefined ? runAlone(pool, work) : batches.run(locks, work)),
    isDamaged: damage.isFound,
    load: () => ({
      open: pool.totalCount,
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount + batches.waiting(),
    }),
    withTables: <Other>() => database as unknown as Database<Other>,
    close: async () => {
      await Promise.all([read.destroy(), schema.destroy()])
    },
  }
  return database
}

function openPool(
  url: string,
  options: pg.PoolConfig,
  { onIdleError, damage }: Pick<PostgresOptions, 'onIdleError'> & { damage: ReturnType<typeof watchForDamage> },
): pg.Pool {
  const connection = { ...connectionsTo(url), connectionTimeoutMillis: CONNECT_MS, types: TYPES }
  const pool = new pg.Pool({ ...connection, ...options })
  pool.on('error', onIdleError)
  pool.on('connect', (client) => {
    // A connection that breaks between two statements of a transaction emits an error event, which would end the process
    // without a listener. The next statement rejects, and the pool replaces the connection.
    client.on('error', () => undefined)
    if (client instanceof PreparingClient) client.connection.on('errorMessage', damage.lookAt)
  })
  return pool
}

type Borrowed = { db: AnyDb; giveBack: () => void }

async function borrow(pool: pg.Pool): Promise<Borrowed> {
  const client = await pool.connect()
  const { query, end } = lend(client)
  const giveBack = (): void => {
    end()
    client.release()
  }
  return { db: kyselyOver(query), giveBack }
}

/** Lends the same connection to all callers within one turn of the event loop. */
function sharedConnection(pool: pg.Pool): OnConnection {
  let next: { users: number; borrowed: Promise<Borrowed> } | undefined

  async function borrowSoon(): Promise<Borrowed> {
    // By then every request that has arrived has been read.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    next = undefined
    return await borrow(pool)
  }

  return async (work) => {
    const shared = (next ??= { users: 0, borrowed: borrowSoon() })
    shared.users += 1
    const { db, giveBack } = await shared.borrowed
    try {
      return await work(db)
    } finally {
      shared.users -= 1
      if (shared.users === 0) giveBack()
    }
  }
}
