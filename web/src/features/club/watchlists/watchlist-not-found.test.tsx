import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { WatchlistNotFound } from './watchlist-states.tsx'

tidyUp()

test('the page of an unknown watchlist shows an error and redirects after three seconds', async () => {
  vi.useFakeTimers()
  let left = 0
  const leave = () => {
    left += 1
  }
  await renderPart(<WatchlistNotFound onLeave={leave} />)

  expect(screen.getByRole('alert').textContent).toBe('Watchlist not found. Redirecting to your watchlists...')
  vi.advanceTimersByTime(2_999)
  expect(left).toBe(0)
  vi.advanceTimersByTime(1)
  expect(left).toBe(1)
  vi.useRealTimers()
})
