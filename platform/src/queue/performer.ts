import type { Claims } from './claims.ts'
import type { Work } from './fairness.ts'
import type { Policy, QueuePorts } from './policy.ts'
import { nameIn } from './store.ts'

/** Performs the rows of a lane under their claims, and has those that failed tried again. */
export function createPerformer<Row>(
  { database, clock, logger }: QueuePorts,
  { table, name, retryMs, perform }: Policy<Row>,
  { release, giveBack, renew }: Pick<Claims<Row>, 'release' | 'giveBack' | 'renew'>,
  stopping: AbortSignal,
) {
  const faults: unknown[] = []

  async function retryLater(row: Row, error: unknown): Promise<void> {
    const isStopping = stopping.aborted
    if (!isStopping) logger.error({ err: error, row: nameIn(row as never, table.key) }, `the queue of ${name} failed`)
    const dueAt = clock.now().getTime() + (isStopping ? 0 : retryMs)
    try {
      await database.transaction(async (trx) => await release(trx, row, dueAt))
    } catch (fault) {
      // The database does not answer either. Without a claim, the row would be tried again and again.
      if (!isStopping) faults.push(fault)
    }
  }

  /** Never rejects. If several rows fail together, each is tried alone, so that one does not hold back the others. */
  async function performAll(rows: Work<Row>['rows']): Promise<void> {
    const renewal = renew(rows)
    try {
      await perform(rows, { stopping, release, giveBack })
    } catch (error) {
      if (rows.length === 1) await retryLater(rows[0], error)
      else for (const row of rows) await performAll([row])
    } finally {
      clearInterval(renewal)
    }
  }

  return {
    perform: performAll,
    /** Throws the first failure of the database since the last call. */
    throwFault: (): void => {
      const found = faults.splice(0)
      if (found.length > 0) throw found[0]
    },
  }
}
