/** A thread with tasks that break each limit, for the tests of the worker. */
import process from 'node:process'
import { getHeapStatistics } from 'node:v8'

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
    /** The most memory that V8 gives the thread, young and old objects together. */
    *memory() {
      yield getHeapStatistics().heap_size_limit
    },
    *environment() {
      yield Object.keys(process.env)
    },
  },
  (error) => (error instanceof Error ? error.message : 'unknown'),
)
