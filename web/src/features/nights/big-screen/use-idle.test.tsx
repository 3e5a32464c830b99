import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { useDimmed, useIdle } from './use-idle.ts'

tidyUp()

function State() {
  return <p>{useIdle(3_000) ? 'idle' : 'in use'}</p>
}

function Light() {
  return <p>{useDimmed('c1') ? 'dim' : 'bright'}</p>
}

const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
const isIdle = () => screen.queryByText('idle') !== null

test('a screen is idle three seconds after the last input, and active at the next input', () => {
  vi.useFakeTimers()
  render(<State />)

  pass(2_999)
  expect(isIdle()).toBe(false)
  pass(1)
  expect(isIdle()).toBe(true)
  fireEvent.pointerMove(document.body)
  expect(isIdle()).toBe(false)
  pass(2_000)
  fireEvent.keyDown(document.body, { key: 'ArrowRight' })
  pass(2_999)
  expect(isIdle()).toBe(false)
  pass(1)
  expect(isIdle()).toBe(true)
})

test.each([
  ['a moved pointer', () => fireEvent.pointerMove(document.body)],
  ['a still tap', () => fireEvent.pointerDown(document.body)],
  ['a key', () => fireEvent.keyDown(document.body, { key: 'ArrowRight' })],
])('a screen that dimmed a minute after the film was accepted brightens on %s', (_, use) => {
  vi.useFakeTimers()
  render(<Light />)

  pass(60_000)
  expect(screen.queryByText('dim')).not.toBeNull()
  use()
  expect(screen.queryByText('bright')).not.toBeNull()
})
