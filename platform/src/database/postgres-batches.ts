import type pg from 'pg'

import { Outage } from '../runtime/outage.ts'
import { kyselyOver, lend, resultOf, runAlone, type Work } from './postgres-transaction.ts'
import { arrival } from './sent.ts'

/** With more batches at once, each would be smaller. With only one, the process would be idle while PostgreSQL works. */
const BATCHES = 2
const MOST_JOBS = 32
/** Jobs for one row take one message each, and the others wait for the last of them. */
const MOST_FOR_A_ROW = 8
/** A job that waits for another process must not hold up the rest of its batch. */
const LOCK_MS = 50

type Job = {
  readonly locks: string
  readonly work: Work<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
  readonly giveUpAt: number
}

/** The results of jobs in their order. Undefined if nothing was committed. */
type Outcomes = readonly Promise<unknown>[] | undefined

type Batches = {
  run: <T>(locks: string, work: Work<T>) => Promise<T>
  waiting: () => number
}

/**
 * Group commit on PostgreSQL. Jobs that arrive while others run share a transaction, and their statements leave in the same
 * messages. Those that lock the same row run one after the other: the first statements of one leave with the last ones of
 * the one before. They lock in the order of the keys, so two batches do not wait for each other. If one fails, the transaction
 * is rolled back, and each job runs alone.
 */
export function batchedTransactions(pool: pg.Pool, waitMs: number): Batches {
  const queue: Job[] = []
  /** The keys of the jobs that run. Others for the same rows wait here, and not in PostgreSQL. */
  const locked = new Map<string, number>()
  let running = 0
  let isPlanned = false

  function plan(): void {
    if (isPlanned || running === BATCHES || queue.length === 0) return
    isPlanned = true
    // Later in this turn of the event loop, when every request that has arrived has been read.
    setImmediate(() => {
      isPlanned = false
      void runBatch(takeBatch(queue, locked))
    })
  }

  /** Resolves once the shared transaction is over. Jobs that run alone may take longer, and hold up no other batch. */
  async function runBatch(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return
    running += 1
    for (const { locks } of jobs) locked.set(locks, (locked.get(locks) ?? 0) + 1)
    plan()
    const shared = commitTogether(pool, jobs)
    for (const [n, job] of jobs.entries()) void settle(job, n, shared)
    await Promise.allSettled([shared])
    running -= 1
    plan()
  }

  /** Settles a job with its outcome in the shared transaction. Without one, the job runs alone. */
  async function settle({ locks, work, resolve, reject }: Job, n: number, shared: Promise<Outcomes>): Promise<void> {
    try {
      const outcomes = await shared
      resolve(await (outcomes ? outcomes[n] : runAlone(pool, work)))
    } catch (error) {
      reject(error)
    }
    const others = (locked.get(locks) ?? 1) - 1
    if (others === 0) locked.delete(locks)
    else locked.set(locks, others)
    plan()
  }

  return {
    run: async <T>(locks: string, work: Work<T>) =>
      await new Promise<T>((resolve, reject) => {
        const giveUpAt = performance.now() + waitMs
        queue.push({ locks, work, resolve: resolve as (value: unknown) => void, reject, giveUpAt })
        plan()
      }),
    waiting: () => queue.length,
  }
}

/** Removes the next jobs from the queue: the first few for each row that is not locked, in the order of the keys. */
function takeBatch(queue: Job[], locked: ReadonlyMap<string, number>): readonly Job[] {
  const now = performance.now()
  const batch = new Map<string, Job[]>()
  let size = 0
  for (const job of queue.splice(0)) {
    const same = batch.get(job.locks) ?? []
    if (job.giveUpAt <= now) job.reject(new Outage('The database does not answer', { of: 'database' }))
    else if (locked.has(job.locks) || same.length === MOST_FOR_A_ROW || size === MOST_JOBS) queue.push(job)
    else {
      batch.set(job.locks, [...same, job])
      size += 1
    }
  }
  return [...batch].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, jobs]) => jobs)
}

/** Runs jobs for different rows at once, and those for one row one after the other, until one of them fails. */
function inRows<T>(jobs: readonly Job[], run: (job: Job) => Promise<T>): Promise<T>[] {
  const last = new Map<string, Promise<T>>()
  const results: Promise<T>[] = []
  for (const job of jobs) {
    const before = last.get(job.locks)
    const result = before === undefined ? run(job) : before.then(async () => await run(job))
    last.set(job.locks, result)
    results.push(result)
  }
  return results
}

/**
 * Runs jobs in one transaction, and rolls it back if a job fails.
 * @throws if the connection breaks. Then the outcome may be unknown, and no job may run again.
 */
async function commitTogether(pool: pg.Pool, jobs: readonly Job[]): Promise<Outcomes> {
  const client = await pool.connect()
  const { query, end } = lend(client)
  let isLost = true
  try {
    const begun = client.query(`begin; set local lock_timeout = ${LOCK_MS}`)
    const trx = kyselyOver(query)
    const worked = await Promise.allSettled([begun, ...inRows(jobs, async ({ work }) => await resultOf(work, trx))])
    end()
    const [, ...results] = worked.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
    const outcomes = results.map(arrival)
    const [{ command }] = await Promise.all([
      client.query(results.length === jobs.length ? 'commit' : 'rollback'),
      Promise.allSettled(outcomes),
    ])
    isLost = false
    return command === 'COMMIT' ? outcomes : undefined
  } finally {
    client.release(isLost)
  }
}
