import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { localEventBus } from './bus.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('a channel counts as quiet since its last event, or since the start if it had none', () => {
  const bus = localEventBus()
  vi.advanceTimersByTime(1_000)
  bus.publish('films', 'one')
  bus.publish('films', 'two')
  vi.advanceTimersByTime(300)

  expect([bus.quietMs('films'), bus.quietMs('others')]).toEqual([300, 1_300])
})

test('a gap makes every channel count as quiet only since the gap', () => {
  const bus = localEventBus()
  vi.advanceTimersByTime(1_000)
  bus.publish('films', 'one')
  vi.advanceTimersByTime(1_000)
  bus.missed()
  vi.advanceTimersByTime(20)

  expect([bus.quietMs('films'), bus.quietMs('others')]).toEqual([20, 20])
})

test('no channel counts as quiet for longer than it was, even if there are too many to remember', () => {
  const bus = localEventBus()
  vi.advanceTimersByTime(1_000)
  for (let n = 0; n <= 5_000; n += 1) {
    bus.publish(`watchlist ${n}`, '{}')
    vi.advanceTimersByTime(1)
  }

  expect([bus.quietMs('watchlist 0'), bus.quietMs('watchlist 1'), bus.quietMs('never used')]).toEqual([
    5_001, 5_000, 5_001,
  ])
})
