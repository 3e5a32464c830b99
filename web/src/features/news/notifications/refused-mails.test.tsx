import { DEFAULT_GROUPS, type NotificationSettings } from '@marquee/contract/entities/notification-settings'
import '#web/i18n/notification-texts.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { RefusedMails } from './refused-mails.tsx'

tidyUp()

const SETTINGS: NotificationSettings = {
  groups: DEFAULT_GROUPS,
  mutedWatchlistIds: [],
  quietHours: null,
  timeZone: 'Europe/Berlin',
}

test('an address that refused mails is shown until the user tries again', async () => {
  const refused = { ...SETTINGS, refusedEmail: 'ben@example.org' }
  const api = fakeApi({ getNotificationSettings: () => refused, changeNotificationSettings: () => SETTINGS })
  await renderPart(<RefusedMails />)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Our mails to ben@example.org were refused, so we stopped sending them.',
  )

  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(api.callsOf('changeNotificationSettings').map(({ request }) => request.body)).toEqual([{ refusedEmail: null }])
})

test('nothing is shown if no mails were refused', async () => {
  const api = fakeApi({ getNotificationSettings: () => SETTINGS })
  await renderPart(<RefusedMails />)

  await waitFor(() => expect(api.callsOf('getNotificationSettings')).toHaveLength(1))
  expect(screen.queryByRole('alert')).toBeNull()
})
