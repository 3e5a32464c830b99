import { parentPort } from 'node:worker_threads'

/** The messages to and from a thread. It answers each request once. */
export type WorkerRequest = { readonly task: string; readonly input: unknown } | { readonly next: true }
export type WorkerAnswer = { readonly value: unknown } | { readonly isDone: true } | { readonly refusal: unknown }

export type WorkerTasks = Readonly<Record<string, (input: never) => Iterable<unknown>>>

/**
 * Serves the tasks in a thread of `createLimitedWorker`. A task yields its result in parts, each after the one before was
 * taken. `describe` makes a message of an error.
 */
export function answerTasks(tasks: WorkerTasks, describe: (error: unknown) => unknown): void {
  let parts: Iterator<unknown> | undefined

  function answer(request: WorkerRequest): WorkerAnswer {
    try {
      if ('task' in request) parts = tasks[request.task]?.(request.input as never)[Symbol.iterator]()
      const part = parts?.next()
      return part === undefined || part.done === true ? { isDone: true } : { value: part.value }
    } catch (error) {
      return { refusal: describe(error) }
    }
  }

  parentPort?.on('message', (request: WorkerRequest) => {
    parentPort?.postMessage(answer(request))
  })
}
