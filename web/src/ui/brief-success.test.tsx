import { act, cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'

import { BriefSuccess } from './brief-success.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function News({ of }: { of: string }) {
  const [ended, setEnded] = useState<string>()
  return (
    of !== ended && (
      <BriefSuccess key={of} onEnd={() => setEnded(of)}>
        {of}
      </BriefSuccess>
    )
  )
}

function pass(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms))
}

test('a success message disappears after six seconds, and the next one lasts just as long', () => {
  vi.useFakeTimers()
  const { rerender } = render(<News of="Saved" />)
  pass(5_999)
  expect(screen.getByRole('status').textContent).toBe('Saved')

  rerender(<News of="Removed" />)
  pass(5_999)
  expect(screen.getByRole('status').textContent).toBe('Removed')
  pass(1)
  expect(screen.queryByRole('status')).toBeNull()
})
