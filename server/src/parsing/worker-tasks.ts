import process from 'node:process'
import { parentPort } from 'node:worker_threads'

/** The messages to and from a thread. It answers each request once, and adds how long the processor has worked for it so far. */
export type WorkerRequest = { readonly task: string; readonly input: unknown } | { readonly next: true }
export type WorkerAnswer = Outcome & { readonly usedMs: number }
type Outcome = { readonly value: unknown } | { readonly isDone: true } | { readonly refusal: unknown }

export type WorkerTasks = Readonly<Record<string, (input: never) => Iterable<unknown>>>

export function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}

/**
 * Serves the tasks in a thread of `createLimitedWorker`. A task yields its result in parts, each after the one before was
 * taken. `describe` makes a message of an error.
 */
export function answerTasks(tasks: WorkerTasks, describe: (error: unknown) => unknown): void {
  let parts: Iterator<unknown> | undefined

  function outcomeOf(request: WorkerRequest): Outcome {
    try {
      if ('task' in request) parts = tasks[request.task]?.(request.input as never)[Symbol.iterator]()
      const part = parts?.next()
      return part === undefined || part.done === true ? { isDone: true } : { value: part.value }
    } catch (error) {
      return { refusal: describe(error) }
    }
  }

  parentPort?.on('message', (request: WorkerRequest) => {
    const outcome = outcomeOf(request)
    const answer: WorkerAnswer = { ...outcome, usedMs: millisecondsOf(process.threadCpuUsage()) }
    parentPort?.postMessage(answer)
  })
}
