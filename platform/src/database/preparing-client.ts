import pg from 'pg'

import { nameOf } from './prepared.ts'

/**
 * A connection that has PostgreSQL keep the statements made by `prepared`, under a name: they are parsed and planned
 * once a connection. All others are sent as they are: one that names no columns would fail after a change of the schema.
 */
export class PreparingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes back depends on the overload that was called
  override query(...given: unknown[]): any {
    const [text, values, ...rest] = given
    this.#sendTogether()
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    return super.query(...((name === undefined ? given : [{ name, text, values }, ...rest]) as [pg.QueryConfig]))
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
