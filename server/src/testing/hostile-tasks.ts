/** A thread with tasks that break each limit, for the tests of the worker. */
import process from 'node:process'
import { getHeapSpaceStatistics } from 'node:v8'

import { answerTasks } from '../parsing/worker-tasks.ts'

let made = 0

answerTasks(
  {
    *count(to: number) {
      for (let n = 0; n < to; n += 1) yield n
    },
    *made() {
      for (;;) {
        made += 1
        yield made
      }
    },
    *fail() {
      yield* []
      throw new Error('no movie')
    },
    *endless() {
      for (;;) if (made < 0) yield made
    },
    /** Rests so long, and the processor with it. */
    *rest(ms: number) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
      yield 'rested'
    },
    *greedy() {
      const kept: unknown[] = []
      for (;;) {
        kept.push(Array.from({ length: 1_000 }, (_, n) => ({ n })))
        if (kept.length < 0) yield kept
      }
    },
    /** The most memory that young objects had, many of which live for a while. */
    *young() {
      const kept: unknown[] = []
      let most = 0
      for (let n = 0; n < 200_000; n += 1) {
        kept[n % 50_000] = { n: [n] }
        if (n % 1_000 === 0) most = Math.max(most, sizeOfYoung())
      }
      yield most
    },
    *environment() {
      yield Object.keys(process.env)
    },
  },
  (error) => (error instanceof Error ? error.message : 'unknown'),
)

function sizeOfYoung(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0
}
