import { expect, test } from 'vitest'

import { HOUR_MS } from '../runtime/durations.ts'
import { afterPause, LONGEST_PAUSE_MS } from './deliveries.ts'

test('a message waits until the pause of its target ends, unless the pause is impossibly long', () => {
  const now = 1_000 * HOUR_MS

  expect(afterPause(0, now)).toBe(now)
  expect(afterPause(now - HOUR_MS, now)).toBe(now)
  expect(afterPause(now + 1_000, now)).toBe(now + 1_000)
  expect(afterPause(now + LONGEST_PAUSE_MS, now)).toBe(now + LONGEST_PAUSE_MS)
  expect(afterPause(now + 48 * HOUR_MS, now)).toBe(now)
})
