import pg from 'pg'

/** Attempts to reach one server connection of the pooler from two sides: some poolers take turns with them. */
const ATTEMPTS = 3
const PROBE = { name: 'marquee_probe', text: 'select pg_backend_pid() as pid' }
/** PostgreSQL: no statement of this name, and one of this name already. */
const FORGETS = new Set(['26000', '42P05'])

/**
 * Between this program and PostgreSQL there may be a pooler, such as PgBouncer, that gives out a server connection for a
 * transaction at a time. It must know statements that are prepared by name, or each would fail at random later on.
 * Gives false where it does not.
 */
export async function keepsPreparedStatements(makeClient: () => pg.Client): Promise<boolean> {
  const one = await connected(makeClient)
  try {
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid')
    // A pooler makes up the number that a client is told when it connects.
    if ('processID' in one && rows[0]?.pid === one.processID) return true
    const other = await connected(makeClient)
    try {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        await one.query(PROBE)
        // On the connection that the first has just given back, which has a statement of this name, or on another one.
        await other.query('begin')
        await other.query(PROBE)
        await other.query('rollback')
      }
      return true
    } finally {
      await other.end()
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && FORGETS.has(error.code ?? '')) return false
    throw error
  } finally {
    await one.end()
  }
}

async function connected(makeClient: () => pg.Client): Promise<pg.Client> {
  const client = makeClient()
  // What breaks shows in the next query.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
