import { SECOND_MS } from '../runtime/durations.ts'
import { createClaims } from './claims.ts'
import { chooseWork } from './fairness.ts'
import { createLanes } from './lanes.ts'
import { createPerformer } from './performer.ts'
import type { Policy, QueuePorts } from './policy.ts'
import { nextDueAt } from './store.ts'
import { endTimesAhead } from './times-ahead.ts'
import { startWorker, type Worker } from './worker.ts'

export type { Performing, Policy, QueuePorts } from './policy.ts'
export type { Worker as Queue } from './worker.ts'

/** How many due rows are read at a time. */
const WINDOW = 50
const LOOK_AGAIN_MS = SECOND_MS

/**
 * Performs the rows of a table when they are due. Each owner and each lane has its turn, and a lane that hangs holds only
 * itself back.
 */
export function startQueue<Row>(ports: QueuePorts, policy: Policy<Row>): Worker {
  const { database, clock, logger } = ports
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted
  const claims = createClaims(ports, policy)
  const performer = createPerformer(ports, policy, claims, stopping.signal)
  const lanes = createLanes(policy, () => {
    worker.wake()
  })
  const fairness = chooseWork(database, policy, WINDOW)
  const forgetTheFuture = endTimesAhead(ports, policy)
  /** When rows that are due were last looked for. */
  let lookedAt = 0
  /** Begins when nothing was found behind the rows that wait for lanes, because a look there goes through all of them. */
  const rest = createRest(() => {
    worker.wake()
  })

  /** What may begin now, and whether nothing is due. */
  async function choose(now: number, free: number) {
    const [running, resting] = [lanes.running(), lanes.resting]
    const due = await claims.findDue(now, WINDOW)
    const works = await fairness.choose(due, { now, free, running: lanes.running(), resting })
    const isIdle = due.length === 0
    if (works.length > 0 || due.length < WINDOW || rest.isOn()) return { works, isIdle }
    // The rows that have been due longest wait for lanes at work, and others behind them do not.
    const others = await claims.findDue(now, WINDOW, fairness.blockedBy(running, resting))
    const behind = await fairness.choose(others, { now, free, running: lanes.running(), resting })
    if (behind.length === 0) rest.begin()
    return { works: behind, isIdle }
  }

  /** Begins what is due as far as lanes are free; true if nothing is due. */
  async function beginDue(): Promise<boolean> {
    while (!isStopping()) {
      const now = clock.now().getTime()
      lookedAt = now
      const free = lanes.countFree()
      if (free <= 0) return false
      const { works, isIdle } = await choose(now, free)
      if (works.length === 0 || isStopping()) return isIdle
      const claimed = await claims.claim(works, now)
      for (const work of claimed) lanes.occupy(work, performer.perform(work.rows))
      if (claimed.length === 0) return false
    }
    return false
  }

  async function work(): Promise<number | undefined> {
    await forgetTheFuture()
    performer.throwFault()
    await policy.beforeWork?.()
    let isIdle: boolean
    do isIdle = await beginDue()
    while (isIdle && !isStopping() && (await policy.whenIdle?.()) === true)
    // Rows that became due after the last look have not been seen.
    const next = await nextDueAt(database.read, policy.table, lookedAt)
    return claims.watchesOthers() || (!isIdle && lanes.areAllFree()) ? clock.now().getTime() + LOOK_AGAIN_MS : next
  }

  const worker = startWorker({
    clock,
    work,
    onFailure: (error) => {
      claims.startOver()
      logger.error({ err: error }, `the queue of ${policy.name} failed`)
    },
    retryMs: policy.retryMs,
  })
  return {
    wake: worker.wake,
    stop: async () => {
      stopping.abort()
      lanes.stopResting()
      await worker.stop()
      rest.stop()
      await lanes.untilDone()
    },
  }
}

function createRest(onEnd: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    isOn: (): boolean => timer !== undefined,
    begin: (): void => {
      timer = setTimeout(() => {
        timer = undefined
        onEnd()
      }, LOOK_AGAIN_MS).unref()
    },
    stop: (): void => {
      clearTimeout(timer)
    },
  }
}
