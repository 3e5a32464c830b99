import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { startWorker, type Worker } from './worker.ts'

const START = new Date('2026-01-01T00:00:00.000Z')

let runs = 0
let failures: unknown[] = []
let worker: Worker | undefined

beforeEach(() => {
  vi.useFakeTimers({ now: START })
  runs = 0
  failures = []
})
afterEach(async () => {
  await worker?.stop()
  vi.useRealTimers()
})

async function start(work: (stopping: AbortSignal) => Promise<number | undefined>): Promise<Worker> {
  worker = startWorker({
    clock: { now: () => new Date() },
    work: async (stopping) => {
      runs += 1
      return await work(stopping)
    },
    onFailure: (error) => failures.push(error),
    retryMs: 5_000,
  })
  await vi.advanceTimersByTimeAsync(0)
  return worker
}

async function runsAfter(ms: number): Promise<number> {
  await vi.advanceTimersByTimeAsync(ms)
  return runs
}

test('the work begins at once and runs again when the next row is due', async () => {
  await start(async () => await Promise.resolve(START.getTime() + 10_000))

  expect([await runsAfter(9_999), await runsAfter(1)]).toEqual([1, 2])
})

test('the worker runs once a minute while no row waits', async () => {
  await start(async () => await Promise.resolve(undefined))

  expect([await runsAfter(59_999), await runsAfter(1)]).toEqual([1, 2])
})

test('a row that is still due is tried again after a second', async () => {
  await start(async () => await Promise.resolve(START.getTime()))

  expect([await runsAfter(999), await runsAfter(1)]).toEqual([1, 2])
})

test('a wake-up during the work starts it again at once afterwards', async () => {
  const reads = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const own = await start(async () => await reads[runs - 1]?.promise)

  own.wake()
  reads[0]?.resolve(undefined)
  expect(await runsAfter(0)).toBe(2)
  reads[1]?.resolve(undefined)
  expect(await runsAfter(0)).toBe(2)
})

test('a failure is reported, and the work is tried again', async () => {
  const failure = new Error('The database does not answer')
  await start(async () => await (runs === 1 ? Promise.reject(failure) : Promise.resolve(undefined)))

  expect(failures).toEqual([failure])
  expect([await runsAfter(4_999), await runsAfter(1)]).toEqual([1, 2])
})

test('a stop waits for the work, and nothing runs afterwards', async () => {
  const read = Promise.withResolvers<undefined>()
  let signal: AbortSignal | undefined
  const own = await start(async (stopping) => {
    signal = stopping
    return await read.promise
  })

  const stopped = own.stop()
  expect(signal?.aborted).toBe(true)
  read.resolve(undefined)
  await stopped
  own.wake()

  expect(await runsAfter(120_000)).toBe(1)
})
