import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { whileSeen } from './live.ts'

let log: string[]
let end: () => void

function show(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  log = []
  show('visible')
})

afterEach(() => {
  end()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function begin(): void {
  end = whileSeen(() => {
    log.push('start')
    return () => log.push('stop')
  })
}

test('a short time in the background does not end it', () => {
  begin()
  show('hidden')
  vi.advanceTimersByTime(9_000)
  show('visible')
  vi.advanceTimersByTime(60_000)

  expect(log).toEqual(['start'])
})

test('it ends when the page stays hidden and starts again when it is seen', () => {
  begin()
  show('hidden')
  vi.advanceTimersByTime(10_000)
  show('visible')

  expect(log).toEqual(['start', 'stop', 'start'])
})

test('a page opened out of sight starts nothing until it is seen', () => {
  show('hidden')
  begin()
  expect(log).toEqual([])

  show('visible')

  expect(log).toEqual(['start'])
})

test('it restarts when the network is back, and ends at once when the page is suspended', () => {
  begin()
  globalThis.dispatchEvent(new Event('online'))
  globalThis.dispatchEvent(new Event('pagehide'))

  expect(log).toEqual(['start', 'stop', 'start', 'stop'])
})

test('after its end nothing starts it', () => {
  begin()
  end()
  show('hidden')
  show('visible')
  globalThis.dispatchEvent(new Event('online'))

  expect(log).toEqual(['start', 'stop'])
})
