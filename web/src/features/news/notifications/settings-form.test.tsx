import type { NotificationSettings } from '@marquee/contract/entities/notification-settings'
import '#web/i18n/notification-texts.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { SettingsForm } from './settings-form.tsx'

tidyUp()

const IN_APP = { inApp: true, push: false, mail: 'off' } as const
const SETTINGS: NotificationSettings = {
  groups: {
    invitations: { ...IN_APP, mail: 'at-once' },
    joins: IN_APP,
    draws: IN_APP,
    drawn: IN_APP,
    comments: IN_APP,
    mentions: IN_APP,
    nights: { ...IN_APP, mail: 'at-once' },
    ratings: IN_APP,
    arrivals: IN_APP,
  },
  mutedWatchlistIds: ['w2'],
  quietHours: null,
  timeZone: 'Europe/Berlin',
}

/** The server answers each change with these settings. */
async function openForm(saved: () => unknown, { isPhone = false, settings = SETTINGS } = {}) {
  const api = fakeApi({ getNotificationSettings: () => settings, changeNotificationSettings: saved })
  const watchlists = [
    { id: 'w1', name: 'Friday films' },
    { id: 'w2', name: 'Horror' },
  ]
  await renderPart(<SettingsForm watchlists={watchlists} />, { isPhone })
  await screen.findByRole('heading', { name: 'Notifications' })
  return { changes: () => api.callsOf('changeNotificationSettings').map(({ request }) => request.body) }
}

test('a choice in the table is saved at once', async () => {
  const saved = { ...SETTINGS, groups: { ...SETTINGS.groups, comments: { ...IN_APP, inApp: false } } }
  const { changes } = await openForm(() => saved)
  const row = screen.getByRole('row', { name: /Comments on your movies/u })
  const box = within(row).getByRole<HTMLInputElement>('checkbox', { name: 'Comments on your movies: In the app' })

  await userEvent.click(box)

  expect(await screen.findByText('Saved.')).toBeDefined()
  expect(box.checked).toBe(false)
  expect(changes()).toEqual([{ groups: { comments: { inApp: false } } }])
})

test('a change that cannot be saved is reverted and shown', async () => {
  const { changes } = await openForm(() => new Refusal(400, 'BAD_REQUEST', 'Not now'))
  const mail = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Movie nights: Mail' })

  await userEvent.selectOptions(mail, 'Off')

  expect((await screen.findByRole('alert')).textContent).toBe('Your change was not saved.Not now')
  await waitFor(() => expect(mail.value).toBe('at-once'))
  expect(changes()).toEqual([{ groups: { nights: { mail: 'off' } } }])
})

test('a switch mutes a watchlist', async () => {
  const { changes } = await openForm(() => ({ ...SETTINGS, mutedWatchlistIds: ['w1', 'w2'] }))
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Horror' }).checked).toBe(true)

  await userEvent.click(screen.getByRole('switch', { name: 'Friday films' }))

  expect(await screen.findByText('Saved.')).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Friday films' }).checked).toBe(true)
  expect(changes()).toEqual([{ watchlist: { watchlistId: 'w1', isMuted: true } }])
})

test('quiet hours can be turned on and changed, and the first change saves the browser’s time zone', async () => {
  const quietHours = { from: '22:00', until: '08:00' }
  const { changes } = await openForm(() => ({ ...SETTINGS, quietHours }), { settings: { ...SETTINGS, timeZone: null } })

  await userEvent.click(screen.getByRole('switch', { name: 'Use quiet hours' }))
  const until = await screen.findByLabelText<HTMLInputElement>('Until')
  await screen.findByText('Saved.')
  fireEvent.change(until, { target: { value: '22:00' } })
  expect(screen.getByRole('alert').textContent).toBe('Start and end must differ.')
  fireEvent.blur(until)
  fireEvent.change(until, { target: { value: '07:00' } })
  fireEvent.blur(until)

  await waitFor(() => expect(changes()).toHaveLength(2))
  expect(changes()).toEqual([
    { quietHours, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    { quietHours: { from: '22:00', until: '07:00' } },
  ])
})

test('each group of settings is a separate block on a phone', async () => {
  await openForm(() => SETTINGS, { isPhone: true })

  expect(screen.queryByRole('table')).toBeNull()
  const block = screen.getByRole('group', { name: 'Movie nights' })
  expect(within(block).getByRole('checkbox', { name: 'In the app' })).toBeDefined()
  expect(within(block).getByRole('combobox', { name: 'Movie nights: Mail' })).toBeDefined()
})
