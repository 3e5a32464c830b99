import '#web/i18n/night-texts.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { CalendarSection } from './calendar-section.tsx'

tidyUp()

test('a failure to read the calendar is shown and can be retried', async () => {
  let isUp = false
  fakeApi({ findCalendar: () => (isUp ? { since: null } : new Refusal(500, 'SERVER_ERROR', 'Server error: 500')) })
  await renderPart(<CalendarSection watchlistId="w1" />)

  expect((await screen.findByRole('alert')).textContent).toContain('The calendar could not be loaded.')
  isUp = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await screen.findByRole('button', { name: 'Subscribe in your calendar' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
