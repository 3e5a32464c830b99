import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

import pino from 'pino'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

import { createLimitedWorker, TaskEnded, type WorkerOptions } from './limited-worker.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const silent = pino({ level: 'silent' })
const workers: ReturnType<typeof createLimitedWorker>[] = []
afterAll(async () => {
  for (const worker of workers) await worker.stop()
})

function aWorker(options: Partial<WorkerOptions> = {}) {
  const program = join(import.meta.dirname, '../testing/hostile-tasks.ts')
  const revive = (refusal: unknown) => new Error(`refused: ${String(refusal)}`)
  const worker = createLimitedWorker({ logger: silent, program, revive, ...options })
  workers.push(worker)
  return worker
}

type Worker = ReturnType<typeof aWorker>

async function all(worker: Worker, name: string, { input, signal, owner = 'ana' }: Partial<Given> = {}) {
  const parts: unknown[] = []
  for await (const part of worker.run({ name, input, owner, ...(signal && { signal }) })) parts.push(part)
  return parts
}
type Given = { input: unknown; signal: AbortSignal; owner: string }

test('a task yields its parts in order', async () => {
  expect(await all(aWorker(), 'count', { input: 3 })).toEqual([0, 1, 2])
})

test('a part is produced only after the previous part has been taken', async () => {
  const parts = aWorker().run({ name: 'made', input: undefined, owner: 'ana' })

  expect(await parts.next()).toEqual({ done: false, value: 1 })
  expect(await parts.next()).toEqual({ done: false, value: 2 })
  await parts.return(undefined)
})

test('an error in a task is thrown, and the next task runs', async () => {
  const worker = aWorker()

  await expect(all(worker, 'fail')).rejects.toThrow('refused: no movie')
  expect(await all(worker, 'count', { input: 1 })).toEqual([0])
})

// Evidence: asvs-15.2.2
test.each(['endless', 'greedy'])('a task that is %s is stopped, and the next task runs', async (name) => {
  const worker = aWorker({ timeLimitMs: name === 'endless' ? 500 : 60_000, memoryLimitMb: 16 })

  await expect(all(worker, name)).rejects.toThrow(name === 'endless' ? 'it took too much time' : 'memory limit')
  expect(await all(worker, 'count', { input: 1 })).toEqual([0])
})

test('time in which the thread of a task is idle does not count toward its limit', async () => {
  const worker = aWorker({ timeLimitMs: 500 })

  expect(await all(worker, 'rest', { input: 1_500 })).toEqual(['rested'])
})

test('an idle thread is stopped when it has not answered for two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const failure = all(aWorker(), 'rest', { input: Infinity }).catch((error: unknown) => error)
  await vi.waitFor(() => {
    expect(vi.getTimerCount()).toBeGreaterThan(0)
  }, WAIT)

  await vi.advanceTimersByTimeAsync(120_000)
  expect(await failure).toEqual(new TaskEnded('it did not answer in time'))
})

test('a running or waiting task ends when its caller gives up', async () => {
  const worker = aWorker()
  const leaving = new AbortController()
  const { signal } = leaving
  const tasks = Promise.allSettled(
    ['ana', 'ben', 'cleo'].map(async (owner) => await all(worker, 'endless', { signal, owner })),
  )
  leaving.abort()

  for (const { status } of await tasks) expect(status).toBe('rejected')
})

test('an owner has at most five tasks, and the sixth is refused', async () => {
  const worker = aWorker()
  const leaving = new AbortController()
  const { signal } = leaving
  const tasks = Promise.allSettled([1, 2, 3, 4, 5].map(async () => await all(worker, 'endless', { signal })))
  const sixth = all(worker, 'count', { input: 1 })

  await expect(sixth).rejects.toThrow('Too many tasks are waiting')
  leaving.abort()
  for (const { status } of await tasks) expect(status).toBe('rejected')
  expect(await all(worker, 'count', { input: 1 })).toEqual([0])
})

test('a thread has no environment variables', async () => {
  expect(await all(aWorker(), 'environment')).toEqual([[]])
})

test('a thread keeps its own limit for young objects even if the process has a larger one', async () => {
  setFlagsFromString('--max-semi-space-size=16')

  const [most] = await all(aWorker({ memoryLimitMb: 64 }), 'memory')

  expect(most).toBe((64 + 6) * 1024 * 1024)
})
