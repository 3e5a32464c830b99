import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { useBriefSuccess } from './use-brief-success.ts'

test('a success is forgotten six seconds after it is shown', () => {
  vi.useFakeTimers()
  const forget = vi.fn<() => void>()
  const { rerender } = renderHook(({ isShown }) => useBriefSuccess(isShown, forget), {
    initialProps: { isShown: false },
  })
  vi.advanceTimersByTime(10_000)
  expect(forget).not.toHaveBeenCalled()

  rerender({ isShown: true })
  vi.advanceTimersByTime(5_999)
  expect(forget).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(forget).toHaveBeenCalledOnce()
})
