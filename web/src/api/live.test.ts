import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { whileVisible } from './live.ts'

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
  end = whileVisible(() => {
    log.push('start')
    return () => log.push('stop')
  })
}

test('a page that is hidden for a short time keeps running', () => {
  begin()
  show('hidden')
  vi.advanceTimersByTime(9_000)
  show('visible')
  vi.advanceTimersByTime(60_000)

  expect(log).toEqual(['start'])
})

test('a page that stays hidden ends, and starts again when it is visible', () => {
  begin()
  show('hidden')
  vi.advanceTimersByTime(10_000)
  show('visible')

  expect(log).toEqual(['start', 'stop', 'start'])
})

test('a page opened in the background starts when it becomes visible', () => {
  show('hidden')
  begin()
  expect(log).toEqual([])

  show('visible')

  expect(log).toEqual(['start'])
})

test('a page restarts when the network is back, and ends at once when it is suspended', () => {
  begin()
  globalThis.dispatchEvent(new Event('online'))
  globalThis.dispatchEvent(new Event('pagehide'))

  expect(log).toEqual(['start', 'stop', 'start', 'stop'])
})

test('after its end it does not start again', () => {
  begin()
  end()
  show('hidden')
  show('visible')
  globalThis.dispatchEvent(new Event('online'))

  expect(log).toEqual(['start', 'stop'])
})
