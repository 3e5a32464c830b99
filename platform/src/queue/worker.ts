import type { Clock } from '../runtime/clock.ts'
import { MINUTE_MS } from '../runtime/durations.ts'

/** A worker in the background, for rows that wait for their time. */
export type Worker = {
  /** Starts to work. Call it after the commit that added a row. */
  readonly wake: () => void
  /** Resolves once nothing is running. */
  readonly stop: () => Promise<void>
}

type Options = {
  readonly clock: Clock
  /**
   * Begins all that is due, and resolves to the time of the next row in milliseconds; undefined if none waits. It ends early
   * once the signal is aborted.
   */
  readonly work: (stopping: AbortSignal) => Promise<number | undefined>
  /** Called if `work` rejects, which is then tried again. */
  readonly onFailure: (error: unknown) => void
  readonly retryMs: number
}

/** The pause before another look at a row that is due but that another process works on. */
const LOOK_AGAIN_MS = 1_000
const SHORTEST_WAIT_MS = 50
/** Other processes add rows too, and only wake themselves. */
const LONGEST_WAIT_MS = MINUTE_MS

/** Works now, whenever it is woken, and when the next row is due. */
export function startWorker({ clock, work, onFailure, retryMs }: Options): Worker {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeUps = 0

  async function run(): Promise<void> {
    clearTimeout(timer)
    try {
      let seen: number
      let dueAt: number | undefined
      do {
        seen = wakeUps
        dueAt = await work(stopping.signal)
        // A caller may have added a row since the last read.
      } while (seen !== wakeUps)
      const wait = dueAt === undefined ? LONGEST_WAIT_MS : dueAt - clock.now().getTime()
      schedule(wait <= 0 ? LOOK_AGAIN_MS : wait)
    } catch (error) {
      onFailure(error)
      schedule(retryMs)
    } finally {
      running = undefined
    }
  }

  function schedule(ms: number): void {
    if (stopping.signal.aborted) return
    timer = setTimeout(wake, Math.min(Math.max(ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)).unref()
  }

  function wake(): void {
    if (stopping.signal.aborted) return
    wakeUps += 1
    running ??= run()
  }

  wake()
  return {
    wake,
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
