import type { RequestServer } from '@marquee/contract/entities/movie-request'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { RequestSection } from './request-section.tsx'

tidyUp()

/** A Tuesday. */
const NOW = new Date(2026, 10, 24, 21, 30)
const SERVER: RequestServer = {
  askers: 'members',
  fault: null,
  seenAt: new Date(2026, 10, 24, 20, 15).toISOString(),
  open: 3,
  host: '192.168.1.20:5055',
}

async function show(answers: FakeAnswers, { isOwner = true } = {}) {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  const api = fakeApi(answers)
  const { container } = await renderPart(<RequestSection watchlistId="w1" isOwner={isOwner} />)
  return { api, container }
}

const showing = (changes: Partial<RequestServer> = {}): FakeAnswers => ({
  getRequestServer: () => ({ server: { ...SERVER, ...changes } }),
})

async function connect() {
  await userEvent.click(await screen.findByRole('button', { name: 'Connect Seerr' }))
  await userEvent.type(screen.getByLabelText('Address'), 'http://192.168.1.20:5055')
  await userEvent.type(screen.getByLabelText('Key'), 'a-secret-key')
  await userEvent.click(screen.getByRole('radio', { name: 'Only me' }))
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }))
}

test('the owner connects Seerr and chooses who may ask for movies', async () => {
  let server: RequestServer | null = null
  const { api } = await show({
    getRequestServer: () => ({ server }),
    connectRequestServer: () => {
      server = { ...SERVER, askers: 'owner', open: 0 }
      return server
    },
  })

  await connect()

  await screen.findByRole('heading', { name: 'Seerr' })
  expect(screen.getByText('Only the owner may ask.')).toBeDefined()
  expect(screen.getByText('Not here yet: 0')).toBeDefined()
  expect(api.callsOf('connectRequestServer').map(({ request }) => request.body)).toEqual([
    { url: 'http://192.168.1.20:5055', token: 'a-secret-key', askers: 'owner' },
  ])
})

test.each([
  ['key', 'Key', 'The server does not accept this key. Make a new one there and enter it here.'],
  [
    'unreachable',
    'Address',
    'No server answers at this address. Check that it is on, and that the address and the port are right.',
  ],
])('the fault %s is shown at the field %s', async (fault, field, text) => {
  await show({
    getRequestServer: () => ({ server: null }),
    connectRequestServer: () => new Refusal(400, 'BAD_REQUEST', 'Refused', { fault }),
  })

  await connect()

  await screen.findByText(text)
  expect(screen.getByLabelText(field).getAttribute('aria-invalid')).toBe('true')
})

test('the owner can change who may ask without entering the key again', async () => {
  const { api } = await show({ ...showing(), changeRequestServer: () => ({ ...SERVER, askers: 'owner' }) })

  await userEvent.click(await screen.findByRole('button', { name: 'Change Seerr' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Only me' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))

  await waitFor(() =>
    expect(api.callsOf('changeRequestServer').map(({ request }) => request.body)).toEqual([{ askers: 'owner' }]),
  )
})

test('the owner disconnects Seerr after a confirmation', async () => {
  let server: RequestServer | null = SERVER
  await show({
    getRequestServer: () => ({ server }),
    deleteRequestServer: () => {
      server = null
    },
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Seerr' }))
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Disconnect' }))

  expect(await screen.findByRole('button', { name: 'Connect Seerr' })).toBeDefined()
})

test('an unreachable server shows when it was last seen and what is wrong', async () => {
  await show(showing({ fault: 'key' }))

  await screen.findByText(/^Seerr was last seen today at 8:15\sPM$/u)
  expect(screen.getByText('The server does not accept this key. Make a new one there and enter it here.')).toBeDefined()
})

test('another member sees who may ask, but cannot change it', async () => {
  await show(showing({ host: null }), { isOwner: false })

  await screen.findByText('All members may ask.')
  expect(screen.queryByRole('button')).toBeNull()
})

test('another member sees nothing if there is no server', async () => {
  const { api, container } = await show({ getRequestServer: () => ({ server: null }) }, { isOwner: false })

  await waitFor(() => expect(api.callsOf('getRequestServer')).toHaveLength(1))
  expect(container.textContent).toBe('')
})
