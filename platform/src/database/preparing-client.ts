import { Socket } from 'node:net'

import pg from 'pg'

import { Outage } from '../runtime/outage.ts'
import { nameOf } from './prepared.ts'

/**
 * A connection that has PostgreSQL keep the statements made by `prepared`, under a name: they are parsed and planned
 * once a connection. All others are sent as they are: one that names no columns would fail after a change of the schema.
 */
export class PreparingClient extends pg.Client {
  // With TLS, `connection.stream` is later another object around this one.
  readonly #socket = this.connection.stream

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.#socket.on('timeout', () => {
      this.#breakUnlessHeard()
    })
  }

  /** From now on a silence of this length breaks the connection: the machine or the line went away without a word. */
  waitAtMost(ms: number): void {
    if (this.#socket instanceof Socket) this.#socket.setTimeout(ms === Infinity ? 0 : ms)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- what comes back depends on the overload that was called
  override query(...given: unknown[]): any {
    const [text, values, ...rest] = given
    this.#sendTogether()
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    return super.query(...((name === undefined ? given : [{ name, text, values }, ...rest]) as [pg.QueryConfig]))
  }

  /** A process that was busy itself finds the timer run out before it has read what arrived meanwhile. */
  #breakUnlessHeard(): void {
    const heard = this.#bytesRead()
    setImmediate(() => {
      if (this.#bytesRead() === heard) {
        this.#socket.destroy(new Outage('The database does not answer', { of: 'database' }))
      }
    })
  }

  #bytesRead(): number {
    return this.#socket instanceof Socket ? this.#socket.bytesRead : 0
  }

  /** What is asked for in one turn leaves in one message. */
  #sendTogether(): void {
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => {
      stream.uncork()
    })
  }
}
