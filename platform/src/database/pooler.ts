import pg from 'pg'

/** How often to try to reach one server connection from two clients: some poolers alternate between connections. */
const ATTEMPTS = 3
const PROBE = { name: 'marquee_probe', text: 'select pg_backend_pid() as pid' }
/** PostgreSQL: there is no statement of this name; or there is one already. */
const FORGETS = new Set(['26000', '42P05'])

/**
 * Between this program and PostgreSQL there may be a pooler, such as PgBouncer, that assigns a server connection to each
 * transaction. It must support named prepared statements, or statements would fail at random. Returns false if it does
 * not.
 */
export async function keepsPreparedStatements(makeClient: () => pg.Client): Promise<boolean> {
  const one = await connected(makeClient)
  try {
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid')
    // A pooler invents the process id that it sends to a client.
    if ('processID' in one && rows[0]?.pid === one.processID) return true
    const other = await connected(makeClient)
    try {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        await one.query(PROBE)
        // Runs on the connection that the first client returned, which has this statement already, or on another one.
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
  // The next query reports a broken connection.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
