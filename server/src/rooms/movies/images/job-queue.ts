/** Too many jobs are waiting already. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/**
 * Runs at most `parallel` jobs at once and lets at most `waiting` more wait their turn.
 * @throws {QueueFull} at once, if the queue is full.
 */
export function createJobQueue({ parallel, waiting }: { parallel: number; waiting: number }) {
  const queue: (() => void)[] = []
  let running = 0

  return async function run<T>(job: () => Promise<T>): Promise<T> {
    if (running < parallel) running += 1
    else {
      if (queue.length >= waiting) throw new QueueFull('Too many jobs are waiting')
      // A job that ends passes its place to the next, so `running` does not change.
      await new Promise<void>((resolve) => {
        queue.push(resolve)
      })
    }
    try {
      return await job()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
