import { expect, test } from 'vitest'

import { daysOf } from './period.ts'

test.each([
  ['this-year', { from: '2026-01-01', to: '2026-12-31' }],
  ['last-year', { from: '2025-01-01', to: '2025-12-31' }],
  ['last-30-days', { from: '2026-02-12', to: '2026-03-13' }],
  ['all-time', {}],
] as const)('the period %s covers the days %j in the time zone of the device', (period, days) => {
  expect(daysOf(period, new Date(2026, 2, 13, 23, 30))).toEqual(days)
})
