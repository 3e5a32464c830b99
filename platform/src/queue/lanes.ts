import type { Work } from './fairness.ts'
import type { Policy } from './policy.ts'

/** The lanes that this process works on, and those that rest. `onFree` is called whenever one may be worked on again. */
export function createLanes<Row>({ parallel, slow, restMs }: Policy<Row>, onFree: () => void) {
  const running = new Map<Work<Row>, { readonly done: Promise<void>; isSlow: boolean }>()
  const resting = new Map<string, NodeJS.Timeout>()

  function rest({ lane, rows }: Work<Row>): void {
    const ms = restMs?.(rows.length) ?? 0
    if (ms <= 0) return
    const timer = setTimeout(() => {
      resting.delete(lane)
      onFree()
    }, ms).unref()
    resting.set(lane, timer)
  }

  return {
    running: () => [...running.keys()],
    resting: resting as ReadonlyMap<string, unknown>,
    areAllFree: () => running.size + resting.size === 0,

    countFree: (): number => {
      const quick = [...running.values()].filter(({ isSlow }) => !isSlow).length
      return Math.min(parallel - quick, (slow?.most ?? parallel) - running.size)
    },

    occupy: (work: Work<Row>, done: Promise<void>): void => {
      const state = { done, isSlow: false }
      running.set(work, state)
      const timer =
        slow &&
        setTimeout(() => {
          state.isSlow = true
          onFree()
        }, slow.afterMs).unref()
      void done.then(() => {
        clearTimeout(timer)
        running.delete(work)
        rest(work)
        onFree()
      })
    },

    /** Ends the rests. */
    stopResting: (): void => {
      for (const timer of resting.values()) clearTimeout(timer)
    },

    untilDone: async (): Promise<void> => {
      await Promise.all([...running.values()].map(async ({ done }) => await done))
    },
  }
}
