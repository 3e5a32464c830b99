import { callbackify } from 'node:util'

import pg from 'pg'

import { Outage } from '../runtime/outage.ts'
import { reasonOf } from '../runtime/reason-of.ts'
import { readPostgresUrl } from './postgres-url.ts'
import { PreparingClient } from './preparing-client.ts'

/** A host that does not answer within this time counts as unreachable. */
const ANSWERS_WITHIN_MS = 3_000

type Address = { host: string; port: number }
type ConnectCallback = (error: Error | null, client?: pg.Client) => void

/**
 * The URL and the connection class of a pool. With several hosts each connection goes to the host that accepts writes at
 * that moment, so a promoted replica is found without a change of the URL.
 */
export function connectionsTo(text: string): { connectionString: string; Client: typeof PreparingClient } {
  const found = readPostgresUrl(text)
  const [connectionString] = found?.urls ?? []
  if (!found || connectionString === undefined) throw new TypeError('Not the address of a PostgreSQL database')
  return { connectionString, Client: found.mustSearch ? searchingClient(found.urls) : PreparingClient }
}

function searchingClient(urls: readonly string[]): typeof PreparingClient {
  let searching: Promise<Address> | undefined
  const search = async (): Promise<Address> => {
    // Connections that are opened at the same time share one search.
    searching ??= findWritable(urls).finally(() => {
      searching = undefined
    })
    return await searching
  }
  return class extends PreparingClient {
    override connect(): Promise<pg.Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
      if (!callback) return this.#connect()
      callbackify(async () => await this.#connect())(callback)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      Object.assign(this, await search())
      return await super.connect()
    }
  }
}

/** Asks all hosts at once, so that an unreachable one delays nothing. */
async function findWritable(urls: readonly string[]): Promise<Address> {
  try {
    return await Promise.any(urls.map(requireWritable))
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors : [error]
    const each = urls.map((url, at) => `${new URL(url).host}: ${reasonOf(reasons[at])}`)
    throw new Outage(`no host takes writes (${each.join('; ')})`, { of: 'database' })
  }
}

async function requireWritable(url: string): Promise<Address> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as "isReadOnly"`,
    )
    if (rows[0]?.isReadOnly !== false) throw new Error('it is read-only')
    return { host: client.host, port: client.port }
  } finally {
    client.end().catch(() => undefined)
  }
}
