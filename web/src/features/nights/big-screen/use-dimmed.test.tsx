import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { useDimmed } from './use-dimmed.ts'

tidyUp()

function State() {
  return <p>{useDimmed('c1') ? 'dim' : 'bright'}</p>
}

test.each([
  ['a moved pointer', () => fireEvent.pointerMove(document.body)],
  ['a still tap', () => fireEvent.pointerDown(document.body)],
  ['a key', () => fireEvent.keyDown(document.body, { key: 'ArrowRight' })],
])('a screen that dims a minute after the film was accepted brightens at %s', (_, use) => {
  vi.useFakeTimers()
  render(<State />)

  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.queryByText('dim')).not.toBeNull()
  use()
  expect(screen.queryByText('bright')).not.toBeNull()
})
