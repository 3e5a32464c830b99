import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { type Transferable, Worker } from 'node:worker_threads'

import pLimit from 'p-limit'

import { createSeats } from '@marquee/platform/limits/seats'
import type { Logger } from '@marquee/platform/runtime/logger'
import { reasonOf } from '@marquee/platform/runtime/reason-of'

import { millisecondsOf, type WorkerAnswer, type WorkerRequest } from './worker-tasks.ts'

/** A task took too much time or memory, or its caller gave up; its thread was ended. */
export class TaskEnded extends Error {
  override readonly name = 'TaskEnded'
}

/** Too many tasks are waiting, of this owner or in total. */
export class WorkerBusy extends Error {
  override readonly name = 'WorkerBusy'
}

export type Task = {
  readonly name: string
  readonly input: unknown
  /** Buffers of the input that the caller no longer needs. They are moved, not copied. */
  readonly transfer?: readonly Transferable[]
  readonly owner: string
  readonly signal?: AbortSignal
}

export type LimitedWorker = {
  /**
   * Yields what the task yields, when it is asked for: what the consumer has not taken takes no memory here.
   * @throws {TaskEnded} @throws {WorkerBusy} @throws what `revive` makes of an error of the task.
   */
  run: (task: Task) => AsyncGenerator<unknown, undefined>
  stop: () => Promise<void>
}

export type WorkerOptions = {
  /** The file of the thread, which calls `answerTasks`. */
  readonly program: string
  readonly logger: Logger
  /** Rebuilds an error from what `describe` sent from the thread. */
  readonly revive: (refusal: unknown) => Error
  /** How long the processor may work for one task. On a busy machine a thread waits for it much longer than it works. */
  readonly timeLimitMs?: number
  /** Of the heap of one thread. */
  readonly memoryLimitMb?: number
  /** How long an idle thread stays alive. */
  readonly idleMs?: number
}

/** A thread that has not answered after this time is ended, however little it worked. */
const ANSWERS_WITHIN_MS = 120_000
const THREADS = 2
const WAITING = 30
const WAITING_PER_OWNER = 5
const YOUNG_GENERATION_MB = 6

/**
 * Runs tasks in threads of their own, so that no input can keep the process busy. A thread that takes too much time or
 * memory is ended. It has no environment, because that has secrets.
 */
export function createLimitedWorker(options: WorkerOptions): LimitedWorker {
  const { logger, timeLimitMs = 10_000 } = options
  const seats = createSeats({ total: WAITING, perOwner: WAITING_PER_OWNER })
  const places = pLimit(THREADS)
  const threads = createThreads(options)

  async function* ask({ name, input, transfer = [], signal }: Task): AsyncGenerator<unknown, undefined> {
    const thread = threads.take()
    const mostMs = thread.usedMs() + timeLimitMs
    let request: WorkerRequest = { task: name, input }
    let isAtRest = false
    try {
      for (;;) {
        const answer = await thread.ask(request, { transfer: 'task' in request ? transfer : [], mostMs, signal })
        if ('value' in answer) {
          yield answer.value
          request = { next: true }
          continue
        }
        isAtRest = true
        if ('refusal' in answer) throw options.revive(answer.refusal)
        return undefined
      }
    } catch (error) {
      if (error instanceof TaskEnded) logger.warn({ task: name, reason: error.message }, 'a task was ended')
      throw error
    } finally {
      if (isAtRest) threads.rest(thread)
      else await threads.end(thread)
    }
  }

  return {
    run: async function* run(task) {
      const leave = seats.take(task.owner)
      if (!leave) throw new WorkerBusy('Too many tasks are waiting')
      const { isTurn, done } = takeTurn(places)
      try {
        await unlessAborted(task.signal, isTurn)
        return yield* ask(task)
      } finally {
        done()
        leave()
      }
    },
    stop: threads.endAll,
  }
}

/** Threads that work, and those that wait a while for the next task. */
function createThreads(options: WorkerOptions) {
  const { idleMs = 10_000 } = options
  const idle = new Set<Thread>()
  const all = new Set<Thread>()

  function take(): Thread {
    const [waiting] = idle
    const thread = waiting ?? startThread(options)
    idle.delete(thread)
    all.add(thread)
    clearTimeout(thread.timer)
    return thread
  }

  async function end(thread: Thread): Promise<void> {
    clearTimeout(thread.timer)
    idle.delete(thread)
    all.delete(thread)
    await thread.end()
  }

  return {
    take,
    end,
    rest: (thread: Thread): void => {
      idle.add(thread)
      thread.timer = setTimeout(() => void end(thread), idleMs).unref()
    },
    endAll: async (): Promise<void> => {
      await Promise.all([...all].map(end))
    },
  }
}

/** A place among those that run. It is held until `done` is called. */
function takeTurn(places: ReturnType<typeof pLimit>): { isTurn: Promise<undefined>; done: () => void } {
  const { promise: isDone, resolve: done } = Promise.withResolvers<undefined>()
  const { promise: isTurn, resolve: begin } = Promise.withResolvers<undefined>()
  void places(async () => {
    begin(undefined)
    await isDone
  })
  return {
    isTurn,
    done: () => {
      done(undefined)
    },
  }
}

async function unlessAborted(signal: AbortSignal | undefined, isTurn: Promise<undefined>): Promise<void> {
  const { promise: isAborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => {
    reject(new TaskEnded('the caller gave up'))
  }
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted === true) giveUp()
  try {
    await Promise.race([isTurn, isAborted])
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

type Thread = {
  timer?: NodeJS.Timeout
  /** How long the processor had worked for the thread when it last answered. */
  usedMs: () => number
  /** Ends the thread when the processor has worked for it `mostMs` in its life. */
  ask: (
    request: WorkerRequest,
    limits: { transfer: readonly Transferable[]; mostMs: number; signal: AbortSignal | undefined },
  ) => Promise<WorkerAnswer>
  end: () => Promise<void>
}

function startThread({ program, memoryLimitMb = 64 }: WorkerOptions): Thread {
  // A flag of the process would replace the limit of this thread. The main thread has read it already.
  setFlagsFromString('--max-semi-space-size=0')
  const worker = new Worker(program, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
  const ended = new AbortController()
  const end = (reason: string): void => {
    if (!ended.signal.aborted) ended.abort(new TaskEnded(reason))
  }
  worker.once('exit', () => {
    end('the thread ended')
  })
  worker.on('error', (error: unknown) => {
    end(reasonOf(error))
  })
  // The server may exit while a thread is idle.
  worker.unref()
  let usedMs = 0
  return {
    usedMs: () => usedMs,
    ask: async (request, { transfer, mostMs, signal }) => {
      const stopWatch = watchTime(worker, { mostMs, usedMs }, end)
      const giveUp = (): void => {
        end('the caller gave up')
      }
      signal?.addEventListener('abort', giveUp)
      try {
        const answered = once(worker, 'message', { signal: ended.signal })
        worker.postMessage(request, [...transfer])
        const [answer] = (await answered) as [WorkerAnswer]
        usedMs = answer.usedMs
        return answer
      } catch (error) {
        throw ended.signal.aborted ? ended.signal.reason : error
      } finally {
        stopWatch()
        signal?.removeEventListener('abort', giveUp)
      }
    },
    end: async () => {
      await worker.terminate()
    },
  }
}

/** Calls `end` when the processor has worked for the thread too long, or when too much time has passed. */
function watchTime(
  worker: Worker,
  { mostMs, usedMs }: { mostMs: number; usedMs: number },
  end: (reason: string) => void,
): () => void {
  const tooLate = setTimeout(end, ANSWERS_WITHIN_MS, 'it did not answer in time')
  let isOver = false
  let timer = setTimeout(look, mostMs - usedMs)

  function look(): void {
    void usedBy(worker).then((nowMs) => {
      if (isOver) return
      if (nowMs >= mostMs) end('it took too much time')
      // It cannot work longer than time passes.
      else timer = setTimeout(look, mostMs - nowMs)
    })
  }

  return () => {
    isOver = true
    clearTimeout(tooLate)
    clearTimeout(timer)
  }
}

async function usedBy(worker: Worker): Promise<number> {
  try {
    return millisecondsOf(await worker.cpuUsage())
  } catch {
    // It is starting, or has ended.
    return 0
  }
}
