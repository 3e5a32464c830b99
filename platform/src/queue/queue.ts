import type { AnyDb, Database } from '../database/database.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Random } from '../runtime/random.ts'
import { watchClaimants } from './dead-claimants.ts'
import { chooseWork, type Work } from './fairness.ts'
import {
  bringForward,
  claimRow,
  type DueTable,
  findDue,
  listLateClaimants,
  moveClaimed,
  nameIn,
  nextDueAt,
  releaseClaims,
} from './store.ts'
import { startWorker, type Worker } from './worker.ts'

export type { Work } from './fairness.ts'
export type { Worker as Queue } from './worker.ts'

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
  /** A lane that takes longer no longer counts as one of `parallel`, up to a number of lanes. So what hangs delays nothing else. */
  readonly slow?: { readonly afterMs: number; readonly most: number }
  /** How many lanes of one owner this process works on at once. */
  readonly perOwner?: number
  /** Rows with the same name wait for each other. By default those whose key begins with the same columns. */
  readonly laneOf?: (row: Row) => string
  /**
   * For how long a row is claimed; after it another process takes the row of one that died. Longer than `perform` takes,
   * unless the claim is renewed. Without it, `perform` takes the rows in its own transaction.
   */
  readonly claimMs?: number
  readonly renewMs?: number
  /** How long a lane rests after work on so many of its rows. */
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
  /** Aborted when the process stops: what can be given back is. */
  readonly stopping: AbortSignal
  /** Ends the claim of a row, which is due again at a time. It is not counted as an attempt if it is given back. */
  readonly release: (trx: AnyDb, row: Row, dueAt: number, how?: { isUncounted: boolean }) => Promise<void>
}

/** How many due rows are read at a time. */
const WINDOW = 50
const CLOCK_SLACK_MS = 60_000
const LOOK_AHEAD_MS = 60 * 60_000
const LOOK_AGAIN_MS = 1_000

/**
 * Performs the rows of a table when they are due. Each owner and each lane has its turn, and a lane that hangs holds only
 * itself back.
 */
export function startQueue<Row>(ports: QueuePorts, policy: Policy<Row>): Worker {
  const { database, clock, logger } = ports
  const { table, name } = policy
  const by = ports.random.uuid()
  const claimants = watchClaimants(clock)
  const running = new Map<Work<Row>, { readonly done: Promise<void>; isSlow: boolean }>()
  const fairness = chooseWork(database, policy, WINDOW)
  const stopping = new AbortController()
  const resting = new Map<string, NodeJS.Timeout>()
  const stuck: { work: Work<Row>; error: unknown }[] = []
  let hasLeftovers = policy.isAlone ?? false
  let watchesClaims = false
  let seenAt = -Infinity
  let lookAheadAt = -Infinity

  /** Ends claims and pauses that a clock ahead of time has written: at the start, hourly, and when the clock goes back. */
  async function forgetTheFuture(): Promise<void> {
    const now = clock.now().getTime()
    const wentBack = now < seenAt - LOOK_AGAIN_MS
    seenAt = now
    if (now < lookAheadAt && !wentBack) return
    const claims = now + (policy.claimMs ?? 0) + CLOCK_SLACK_MS
    const latest = now + policy.longestWaitMs + CLOCK_SLACK_MS
    if (hasLeftovers) {
      await database.transaction(async (trx) => {
        await releaseClaims(trx, table, now)
      })
      hasLeftovers = false
    }
    if ((await nextDueAt(database.read, table, Math.min(latest, claims))) !== undefined) {
      const count = await database.transaction(async (trx) => await bringForward(trx, table, { now, latest, claims }))
      if (count > 0) logger.warn({ count, queue: name }, 'rows of a queue were dated too far ahead, and are due now')
    }
    lookAheadAt = now + LOOK_AHEAD_MS
  }

  function freeLanes(): number {
    const { parallel, slow } = policy
    const quick = [...running.values()].filter(({ isSlow }) => !isSlow).length
    return Math.min(parallel - quick, (slow?.most ?? parallel) - running.size)
  }

  async function claim(works: readonly Work<Row>[], now: number): Promise<Work<Row>[]> {
    const { claimMs } = policy
    if (claimMs === undefined) return [...works]
    const until = now + claimMs
    return await database.transaction(async (trx) => {
      const claimed: Work<Row>[] = []
      for (const work of works) {
        const rows: Row[] = []
        for (const row of work.rows) {
          const own = await claimRow(trx, table, row, { until, by })
          if (own === undefined) continue
          await policy.onClaim?.(trx, own, until)
          rows.push(own)
        }
        const [first, ...others] = rows
        if (first !== undefined) claimed.push({ ...work, rows: [first, ...others] })
      }
      return claimed
    })
  }

  /** Begins what is due as far as lanes are free; true if nothing is due. */
  async function beginDue(): Promise<boolean> {
    while (!stopping.signal.aborted) {
      const free = freeLanes()
      if (free <= 0) return false
      const now = clock.now().getTime()
      const due = await findDueOf(now)
      const works = await fairness.choose(due, {
        now,
        free,
        running: [...running.keys()],
        resting,
      })
      if (works.length === 0) return due.length === 0
      const claimed = await claim(works, now)
      for (const work of claimed) begin(work)
      if (claimed.length === 0) return false
    }
    return false
  }

  async function findDueOf(now: number): Promise<Row[]> {
    const due = { now, from: await deadClaimants(now), limit: WINDOW }
    const urgent =
      table.urgent === undefined ? [] : await findDue(database.read, table, { ...due, isUrgent: true, limit: WINDOW })
    return [...urgent, ...(await findDue(database.read, table, due))]
  }

  /** The names under which rows are claimed that no process works on. */
  async function deadClaimants(now: number): Promise<string[]> {
    if (table.claimedBy === undefined) return []
    const others = (await listLateClaimants(database.read, table, now)).filter(({ id }) => id !== by)
    watchesClaims = others.length > 0
    // A lane at work is not chosen again, so lapsed claims of this process are left over from a lost connection.
    return [by, ...claimants.among(others)]
  }

  function begin(work: Work<Row>): void {
    const state = { done: perform(work), isSlow: false }
    running.set(work, state)
    const timer =
      policy.slow &&
      setTimeout(() => {
        state.isSlow = true
        worker.wake()
      }, policy.slow.afterMs).unref()
    void state.done.then(() => {
      clearTimeout(timer)
      running.delete(work)
      rest(work)
      worker.wake()
    })
  }

  function rest({ lane, rows }: Work<Row>): void {
    const ms = policy.restMs?.(rows.length) ?? 0
    if (ms <= 0) return
    const timer = setTimeout(() => {
      resting.delete(lane)
      worker.wake()
    }, ms).unref()
    resting.set(lane, timer)
  }

  const release: Performing<Row>['release'] = async (trx, row, to, { isUncounted } = { isUncounted: false }) => {
    await moveClaimed(trx, table, row, { by, to, isFree: true, isUncounted })
  }

  /** Never rejects. If several rows fail together, each is tried alone, so that one does not hold back the others. */
  async function perform(work: Work<Row>): Promise<void> {
    const renewal = renewing(work)
    try {
      await policy.perform(work.rows, { stopping: stopping.signal, release })
    } catch (error) {
      if (work.rows.length === 1) await retryLater(work, error)
      else for (const row of work.rows) await perform({ ...work, rows: [row] })
    } finally {
      clearInterval(renewal)
    }
  }

  async function retryLater(work: Work<Row>, error: unknown): Promise<void> {
    const isStopping = stopping.signal.aborted
    const [row] = work.rows
    if (!isStopping) logger.error({ err: error, row: nameIn(row as never, table.key) }, `the queue of ${name} failed`)
    const dueAt = clock.now().getTime() + (isStopping ? 0 : policy.retryMs)
    try {
      await database.transaction(async (trx) => await release(trx, row, dueAt))
    } catch (fault) {
      if (isStopping) return
      // The database does not answer either. Without a claim, the row would be tried again and again.
      stuck.push({ work, error: fault })
    }
  }

  function renewing({ rows }: Work<Row>): NodeJS.Timeout | undefined {
    const { claimMs, renewMs } = policy
    if (claimMs === undefined || renewMs === undefined) return undefined
    return setInterval(() => {
      const to = clock.now().getTime() + claimMs
      database
        .transaction(async (trx) => {
          for (const row of rows) await moveClaimed(trx, table, row, { by, to })
        })
        .catch((error: unknown) => {
          logger.error({ err: error, queue: name }, 'a claim could not be renewed')
        })
    }, renewMs).unref()
  }

  const worker = startWorker({
    clock,
    work: async () => {
      await forgetTheFuture()
      const failed = stuck.splice(0)[0]
      if (failed) throw failed.error
      await policy.beforeWork?.()
      let isIdle: boolean
      do isIdle = await beginDue()
      while (isIdle && !stopping.signal.aborted && (await policy.whenIdle?.()) === true)
      const now = clock.now().getTime()
      const next = await nextDueAt(database.read, table, now)
      return watchesClaims || !(isIdle || running.size + resting.size > 0) ? now + LOOK_AGAIN_MS : next
    },
    onFailure: (error) => {
      claimants.startOver()
      logger.error({ err: error }, `the queue of ${name} failed`)
    },
    retryMs: policy.retryMs,
  })
  return {
    wake: worker.wake,
    stop: async () => {
      stopping.abort()
      for (const timer of resting.values()) clearTimeout(timer)
      await worker.stop()
      await Promise.all([...running.values()].map(async ({ done }) => await done))
    },
  }
}
