import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { agoText, dayName, momentText } from './dates.ts'
import { RelativeTime } from './relative-time.tsx'

tidyUp()

const NOW = Date.parse('2026-03-03T20:00:00.000Z')
const iso = '2026-03-03T18:30:00.000Z'

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['2026-03-03T20:00:30.000Z', undefined],
  ['2026-03-03T19:59:01.000Z', undefined],
  ['2026-03-03T19:59:00.000Z', '1 minute ago'],
  ['2026-03-03T18:00:00.000Z', '2 hours ago'],
  ['2026-03-01T21:00:00.000Z', '1 day ago'],
  ['2026-02-24T20:00:00.000Z', '7 days ago'],
  ['2026-02-24T19:59:00.000Z', 'Feb 24, 2026'],
  ['2024-01-01T12:00:00.000Z', 'Jan 1, 2024'],
])('the time %s is shown as %s, at 20:00 on March 3, 2026', (time, text) => {
  expect(agoText(time, new Date(NOW))).toBe(text)
})

test('a relative time stays up to date and has the exact time in its tooltip', async () => {
  await renderPart(<RelativeTime iso={iso} className="" />)
  const time = screen.getByText('1 hour ago')
  expect([time.getAttribute('datetime'), time.title]).toEqual([iso, momentText(iso)])

  await act(async () => vi.advanceTimersByTimeAsync(30 * 60_000))

  expect(time.textContent).toBe('2 hours ago')
})

test('a sentence with a relative time has the exact time in its tooltip', async () => {
  await renderPart(<RelativeTime iso={iso}>{(ago) => `Last used ${ago}`}</RelativeTime>)

  expect(screen.getByText('Last used 1 hour ago').title).toBe(momentText(iso))
})

test('a time on a hidden page is updated when the page becomes visible', async () => {
  await renderPart(<RelativeTime iso={iso} className="" />)

  vi.setSystemTime(NOW + 5 * 3_600_000)
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })

  expect(screen.getByText('6 hours ago')).toBeTruthy()
})

test('the days of a long list are formatted with one formatter', () => {
  const made = vi.spyOn(Intl, 'RelativeTimeFormat')

  const names = ['2026-03-03T12:00:00.000Z', '2026-03-02T12:00:00.000Z', '2026-03-01T12:00:00.000Z'].map((day) =>
    dayName(day, new Date('2026-03-03T12:00:00.000Z')),
  )

  expect(names).toEqual(['Today', 'Yesterday', 'Mar 1, 2026'])
  expect(made.mock.calls.length).toBeLessThanOrEqual(1)
})
