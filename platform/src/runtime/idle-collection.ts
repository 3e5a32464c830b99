import { performance } from 'node:perf_hooks'

const LOOK_MS = 2_000
/** Below this share of busy time, the main thread does nothing but timers. */
const MOST_BUSY = 0.05
/** How many looks in a row must find the process at rest. */
const LOOKS = 4

/**
 * Collects all garbage once whenever the process has come to rest, until the returned function is called. V8 collects when
 * something is allocated, so a process that rests would keep the garbage and the large young generation of its start or its
 * last load (docs/decisions/0090-garbage-at-rest.md). Needs `--expose-gc`; without it nothing happens.
 */
export function collectAtRest(
  collect: (() => void) | undefined = collector(),
  busyShare: () => number = busyShares(),
): () => void {
  if (!collect) return () => undefined
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

function collector(): (() => void) | undefined {
  const { gc } = globalThis
  // Of the kinds of collections, only this one gives the pages of the young generation back to the system.
  return gc && (() => gc({ type: 'major', flavor: 'last-resort' }))
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
