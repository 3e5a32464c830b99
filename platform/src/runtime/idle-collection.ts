import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_MS = 2_000
/** Below this share of busy time, the main thread does nothing but timers. */
const MOST_BUSY = 0.05
/** How many looks in a row must find the process at rest. */
const LOOKS = 4

/**
 * Collects all garbage once whenever the process has come to rest, until the returned function is called. V8 collects when
 * something is allocated, so a process that rests would keep the garbage and the large young generation of its start or its
 * last load (docs/decisions/0090-garbage-at-rest.md).
 */
export function collectAtRest(collect: () => void = collectAll, busyShare: () => number = busyShares()): () => void {
  let looks = 0
  const timer = setInterval(() => {
    looks = busyShare() > MOST_BUSY ? 0 : looks + 1
    if (looks !== LOOKS) return
    collect()
    // Otherwise a collection that takes long would count as work, and be followed by another one.
    busyShare()
  }, LOOK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

/**
 * Of the kinds of collections, only this one gives the pages of the young generation back to the system. The flag is set for a
 * moment only, because compiled code that was kept for the next start is tied to the flags of its process.
 */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort' })
}

/** The share of the time since the last call in which the event loop did not wait. */
function busyShares(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
