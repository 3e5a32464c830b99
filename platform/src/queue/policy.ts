import type { AnyDb, Database } from '../database/database.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Random } from '../runtime/random.ts'
import type { DueTable } from './store.ts'

export type QueuePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Pick<Random, 'uuid'>
  readonly logger: Logger
}

/** How the rows of a table are performed. Times are in milliseconds. */
export type Policy<Row> = {
  /** Names the queue in the log: "the queue of webhooks". */
  readonly name: string
  readonly table: DueTable<Row>
  /** How many lanes this process works on at once, and how many rows of a lane together. */
  readonly parallel: number
  readonly batch?: number
  /**
   * A lane that takes longer than `afterMs` no longer counts as one of `parallel`, while there are at most `most` lanes at
   * work. So a lane that hangs delays no other.
   */
  readonly slow?: { readonly afterMs: number; readonly most: number }
  /** How many lanes of one owner this process works on at once. */
  readonly perOwner?: number
  /**
   * For how long a row is claimed; after it another process takes the row of one that died. Longer than `perform` takes,
   * unless the claim is renewed. Without it, `perform` takes the rows in its own transaction.
   */
  readonly claimMs?: number
  readonly renewMs?: number
  /** How long a lane rests after work on this many of its rows. */
  readonly restMs?: (rows: number) => number
  /** The pause of rows whose work failed. */
  readonly retryMs: number
  /** No row waits longer than this. If one does, a clock was ahead when it was written, and it is due. */
  readonly longestWaitMs: number
  /** No other process works on this database, so claims that exist at the start belong to a dead process. */
  readonly isAlone?: boolean
  /** Does the work of rows of one lane, and removes or moves them. If it rejects, they are tried again. */
  readonly perform: (rows: readonly [Row, ...Row[]], work: Performing<Row>) => Promise<void>
  /** Joins the transaction that claims a row. */
  readonly onClaim?: (trx: AnyDb, row: Row, until: number) => Promise<void>
  /** Called before rows are chosen. */
  readonly beforeWork?: () => Promise<void>
  /** Called while no row is due. Resolves to true if it has added rows that are. */
  readonly whenIdle?: () => Promise<boolean>
}

export type Performing<Row> = {
  /** Aborted when the process stops, so that `perform` gives back what it can. */
  readonly stopping: AbortSignal
  /** Ends the claim of a row and makes it due at `dueAt`. With `isUncounted`, the claim does not count as an attempt. */
  readonly release: (trx: AnyDb, row: Row, dueAt: number, how?: { isUncounted: boolean }) => Promise<void>
  /** Does the same in a transaction of its own, and does not count the claim. Without `dueAt`, the row is due now. */
  readonly giveBack: (row: Row, dueAt?: number) => Promise<void>
}
