import { Socket } from 'node:net'

import pg from 'pg'

import { Outage } from '../runtime/outage.ts'
import { nameOf } from './prepared.ts'

/**
 * A connection on which PostgreSQL keeps the statements made by `prepared` under a name, so that each is parsed and
 * planned once. Other statements are sent as they are: one that names no columns would fail after a schema change.
 */
export class PreparingClient extends pg.Client {
  // With TLS, `connection.stream` is later replaced by another object around this one.
  readonly #socket = this.connection.stream

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.#socket.on('timeout', () => {
      this.#breakIfSilent()
    })
  }

  /** From now on, a silence of this length breaks the connection: the machine or the network may be gone. */
  waitAtMost(ms: number): void {
    if (this.#socket instanceof Socket) this.#socket.setTimeout(ms === Infinity ? 0 : ms)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the result depends on which overload was called
  override query(...given: unknown[]): any {
    const [text, values, ...rest] = given
    this.#sendTogether()
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    const query = name === undefined ? given : [{ name, text, values }, undefined, ...rest]
    return isAnsweredByCallback(query) ? super.query(...(query as [pg.QueryConfig])) : this.#promised(query)
  }

  /**
   * Gives pg a callback from the start. If pg makes the promise itself, the rows of all statements outlive the small
   * collections of garbage, and reading a large watchlist takes as much memory as the watchlist.
   */
  async #promised([query, values]: unknown[]): Promise<pg.QueryResult> {
    try {
      return await new Promise((resolve, reject) => {
        super.query(query as string, values as unknown[], (error: Error | null, result) => {
          if (error) reject(error)
          else resolve(result)
        })
      })
    } catch (error) {
      // As pg does: the stack leads to the caller, not to the socket.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }

  /** If the process itself was busy, the timer fires before it reads the reply that arrived meanwhile. */
  #breakIfSilent(): void {
    const readBefore = this.#bytesRead()
    setImmediate(() => {
      if (this.#bytesRead() === readBefore) {
        this.#socket.destroy(new Outage('The database does not answer', { of: 'database' }))
      }
    })
  }

  #bytesRead(): number {
    return this.#socket instanceof Socket ? this.#socket.bytesRead : 0
  }

  /** Statements of one turn leave in one message. */
  #sendTogether(): void {
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      stream.uncork()
    })
  }
}

function isAnsweredByCallback([query, ...others]: unknown[]): boolean {
  const isSubmittable = typeof query === 'object' && query !== null && 'submit' in query
  return isSubmittable || others.some((it) => typeof it === 'function')
}
