import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { collectAtRest } from './idle-collection.ts'

/** Longer than all of its looks that a rest takes. */
const A_WHILE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('an idle process collects its garbage once, and again after it has worked', () => {
  const collect = vi.fn<() => void>()
  let share = 0.01
  const stop = collectAtRest(collect, () => share)
  const spend = (next: number) => {
    share = next
    vi.advanceTimersByTime(A_WHILE_MS)
    return collect.mock.calls.length
  }

  expect([spend(0.01), spend(0.5), spend(0.01)]).toEqual([1, 1, 2])

  stop()
  expect([spend(0.5), spend(0.01)]).toEqual([2, 2])
})

test('a process that keeps getting work does not collect its garbage', () => {
  const collect = vi.fn<() => void>()
  const shares = [0.01, 0.01, 0.01, 0.3]
  let look = 0
  const stop = collectAtRest(collect, () => shares[look++ % shares.length] ?? 0)

  vi.advanceTimersByTime(A_WHILE_MS)
  stop()

  expect(collect).not.toHaveBeenCalled()
})

test('a process without access to the garbage collector leaves it to V8', () => {
  collectAtRest(undefined, () => 0)()

  expect(vi.getTimerCount()).toBe(0)
})
