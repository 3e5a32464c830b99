import type { Night, NightTime } from '@marquee/contract/entities/night'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { anOpenNight } from '#web/testing/samples.ts'

import { NightSection } from './night-section.tsx'

tidyUp()

const section = <NightSection watchlistId="w1" username="Ana" isOwner isAlone={false} />
const FRIDAY: NightTime = { startsAt: '2098-11-28T19:00:00.000Z', localTime: '2098-11-28T20:00', answers: [] }
const SATURDAY: NightTime = { startsAt: '2098-11-29T19:00:00.000Z', localTime: '2098-11-29T20:00', answers: [] }
const PLANNED: Night = anOpenNight('w1', [], {
  state: 'planned',
  startedAt: null,
  timeZone: 'Europe/Berlin',
  times: [FRIDAY, SATURDAY],
})

test('saving a plan keeps what another member changed in the meantime', async () => {
  const stream = aLiveStream()
  let night = PLANNED
  const api = fakeApi({
    watchlistEvents: () => stream.response,
    listNights: () => ({ nights: [night], unrated: [] }),
    listNightFilms: () => ({ films: [] }),
    changeNight: () => night,
  })
  await renderPart(section)
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
  await userEvent.type(screen.getByLabelText(/^Note/u), 'Bring snacks')

  night = { ...PLANNED, times: [SATURDAY], place: 'At Ben’s' }
  const reads = api.callsOf('listNights').length
  stream.tell({ kind: 'nights-changed', watchlistId: 'w1', by: 'Ben' })
  await waitFor(() => expect(api.callsOf('listNights').length).toBeGreaterThan(reads))
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))

  await waitFor(() => expect(api.callsOf('changeNight')).toHaveLength(1))
  expect(api.callsOf('changeNight')[0]?.request.body).toEqual({
    times: ['2098-11-29T20:00'],
    timeZone: 'Europe/Berlin',
    place: 'At Ben’s',
    note: 'Bring snacks',
    maxRuntimeMinutes: null,
  })
})

test('a plan whose reply was lost is retried with the same idempotency key', async () => {
  let isOffline = true
  const keys: (string | undefined)[] = []
  fakeApi({
    watchlistEvents: () => aLiveStream().response,
    listNights: () => ({ nights: isOffline ? [] : [PLANNED], unrated: [] }),
    listNightFilms: () => ({ films: [] }),
    planNight: ({ headers }) => {
      keys.push(headers['idempotency-key'])
      if (isOffline) throw new TypeError('Failed to fetch')
      return PLANNED
    },
  })
  await renderPart(section)
  await userEvent.click(await screen.findByRole('button', { name: 'Plan a night' }))
  const time = screen.getByLabelText<HTMLInputElement>('Date and time')
  await userEvent.type(time, '2098-11-28T20:00')
  await userEvent.click(screen.getByRole('button', { name: 'Plan the night' }))
  await screen.findByRole('alert', undefined, { timeout: 20_000 })

  isOffline = false
  await userEvent.click(screen.getByRole('button', { name: 'Plan the night' }))

  await screen.findByRole('button', { name: 'Change' })
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThan(1)
})
