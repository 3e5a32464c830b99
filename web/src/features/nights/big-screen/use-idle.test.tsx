import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { useIdle } from './use-idle.ts'

tidyUp()

function State() {
  return <p>{useIdle(3_000) ? 'idle' : 'in use'}</p>
}

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('a screen is idle three seconds after the last pointer or key, and in use at the next one', () => {
  vi.useFakeTimers()
  render(<State />)

  pass(2_999)
  screen.getByText('in use')
  pass(1)
  screen.getByText('idle')
  fireEvent.pointerMove(document.body)
  screen.getByText('in use')
  pass(2_000)
  fireEvent.keyDown(document.body, { key: 'ArrowRight' })
  pass(2_999)
  screen.getByText('in use')
  pass(1)
  screen.getByText('idle')
})
