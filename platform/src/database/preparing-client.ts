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

  /** A silence of this length breaks the connection from now on: the machine or the network may be gone. */
  waitAtMost(ms: number): void {
    if (this.#socket instanceof Socket) this.#socket.setTimeout(ms === Infinity ? 0 : ms)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the result depends on which overload was called
  override query(...given: unknown[]): any {
    const [text, values, ...rest] = given
    this.#sendTogether()
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    return super.query(...((name === undefined ? given : [{ name, text, values }, ...rest]) as [pg.QueryConfig]))
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
