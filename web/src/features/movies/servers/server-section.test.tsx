import type { MediaServer } from '@marquee/contract/entities/media-server'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { HOME_SERVER } from '#web/testing/samples.ts'

import { ServerSection } from './server-section.tsx'

tidyUp()

/** A Tuesday. */
const NOW = new Date(2026, 10, 24, 21, 30)
const at = (daysAgo: number) => new Date(2026, 10, 24 - daysAgo, 20, 15).toISOString()

const HOME: MediaServer = {
  ...HOME_SERVER,
  seenAt: at(0),
  readAt: at(0),
  movies: 1_204,
  host: '192.168.1.20:8096',
}

async function show(answers: FakeAnswers, { isOwner = true } = {}) {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  const api = fakeApi(answers)
  const { container, client } = await renderPart(<ServerSection watchlistId="w1" isOwner={isOwner} />)
  return { api, container, client }
}

const listing = (changes: Partial<MediaServer> = {}): FakeAnswers => ({
  listMediaServers: () => ({ servers: [{ ...HOME, ...changes }] }),
})

/** Fills the form of an empty section and sends it. */
async function connect() {
  await userEvent.click(await screen.findByRole('button', { name: 'Connect a server' }))
  await userEvent.type(screen.getByLabelText('Address'), 'http://192.168.1.20:8096')
  await userEvent.type(screen.getByLabelText('Key'), 'a-secret-key')
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }))
}

test('the owner connects a server and sees how many movies it has', async () => {
  let servers: MediaServer[] = []
  const { api } = await show({
    listMediaServers: () => ({ servers }),
    connectMediaServer: () => {
      servers = [HOME]
      return HOME
    },
  })
  await screen.findByText(
    'Connect Jellyfin, Emby or Plex. The cards then say which movies are on your server, and at a movie night you start the winner on your TV.',
  )

  await connect()

  expect((await screen.findByRole('heading', { name: 'Home server' })).tagName).toBe('H3')
  await waitFor(() => expect(screen.getByText(/^1,204 movies, read today at 8:15\sPM$/u)).toBeDefined())
  expect(screen.getByText('Home server is connected.')).toBeDefined()
  expect(screen.queryByLabelText('Key')).toBeNull()
  expect(api.callsOf('connectMediaServer').map(({ request }) => request.body)).toEqual([
    { kind: 'jellyfin', url: 'http://192.168.1.20:8096', token: 'a-secret-key', openUrl: null },
  ])
})

test('the key field explains where each kind of server has its key', async () => {
  await show({ listMediaServers: () => ({ servers: [] }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Connect a server' }))
  const description = () => {
    const ids = screen.getByLabelText('Key').getAttribute('aria-describedby') ?? ''
    return document.getElementById(ids)?.textContent
  }

  expect(description()).toBe('An administrator of Jellyfin makes one under Dashboard, API Keys.')
  await userEvent.click(screen.getByRole('radio', { name: 'Plex' }))
  expect(description()).toBe(
    'In Plex on the web, open the menu of a movie, then Get Info and View XML. The key is in the address of that page, after X-Plex-Token=.',
  )
})

test.each([
  ['key', 'Key', 'The server does not accept this key. Make a new one there and enter it here.'],
  [
    'unreachable',
    'Address',
    'No server answers at this address. Check that it is on, and that the address and the port are right.',
  ],
  ['other-server', 'Address', 'Something else answers at this address. Check the kind of server and the port.'],
])('the fault "%s" is shown below the field "%s", and the form keeps its values', async (fault, field, sentence) => {
  await show({
    listMediaServers: () => ({ servers: [] }),
    connectMediaServer: () => new Refusal(400, 'BAD_REQUEST', 'The media server is wrong', { fault }),
  })

  await connect()

  await screen.findByText(sentence)
  const input = screen.getByLabelText<HTMLInputElement>(field)
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(
    input
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent),
  ).toContain(sentence)
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('http://192.168.1.20:8096')
})

test('a refusal that belongs to no field is shown below the form', async () => {
  await show({
    listMediaServers: () => ({ servers: [] }),
    connectMediaServer: () => new Refusal(400, 'BAD_REQUEST', 'This watchlist has four media servers'),
  })

  await connect()

  expect((await screen.findByRole('alert')).textContent).toBe(
    'The server could not be connected.This watchlist has four media servers',
  )
})

test.each<[string, Partial<MediaServer>, RegExp]>([
  ['of a server that was off since Sunday', { seenAt: at(2) }, /^Home server was last seen on Sunday$/u],
  ['of a server that was off since yesterday', { seenAt: at(1) }, /^Home server was last seen yesterday at 8:15\sPM$/u],
  ['of a server that was off for long', { seenAt: at(30) }, /^Home server was last seen on Oct 25, 2026$/u],
  ['of a server that never answered', { seenAt: null }, /^Home server has not answered yet$/u],
])('the line %s shows the last contact, the fault and the last list', async (_what, changes, line) => {
  await show(listing({ state: 'failing', fault: 'slow', readAt: at(2), ...changes }))

  await screen.findByText(line)
  expect(screen.getByText('The server did not answer in time. Try again when it is less busy.')).toBeDefined()
  expect(screen.getByText('1,204 movies, read on Sunday')).toBeDefined()
})

test('a server replaced by another machine shows advice to check it or to enter a new key', async () => {
  await show(listing({ state: 'failing', fault: 'other-server' }))

  const advice = 'Something else answers at this address. Check the kind of server and the port.'
  expect(await screen.findByText(advice)).toBeDefined()
  expect(screen.getByText('If the server was installed again, enter a new key.')).toBeDefined()
})

test('a server shows that it is being read until its list arrives', async () => {
  let state: MediaServer['state'] = 'ready'
  const { api } = await show({
    listMediaServers: () => ({ servers: [{ ...HOME, state }] }),
    readMediaServer: () => {
      state = 'reading'
      return { ...HOME, state }
    },
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Read again: Home server' }))

  await screen.findByText('Reading…')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Read again: Home server' }).disabled).toBe(true)
  state = 'ready'
  await screen.findByText(/^1,204 movies/u)
  expect(api.callsOf('readMediaServer')).toHaveLength(1)
})

test('a change without a new key keeps the current key', async () => {
  const { api } = await show({ ...listing(), changeMediaServer: () => HOME })

  await userEvent.click(await screen.findByRole('button', { name: 'Change Home server' }))
  expect(screen.getByLabelText<HTMLInputElement>('New key (optional)').value).toBe('')
  await userEvent.type(screen.getByLabelText('Address for browsers (optional)'), 'https://jellyfin.example')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))

  await screen.findByRole('button', { name: 'Change Home server' })
  expect(api.callsOf('changeMediaServer').map(({ request }) => request.body)).toEqual([
    { openUrl: 'https://jellyfin.example' },
  ])
})

test('disconnecting a server asks for a confirmation that lists what is deleted', async () => {
  let servers = [HOME]
  await show({
    listMediaServers: () => ({ servers }),
    deleteMediaServer: () => {
      servers = []
    },
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Home server' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(
    dialog.getByText(
      'Its key, the list of its movies and the links to it are deleted here. On the server nothing changes.',
    ),
  ).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }))

  await screen.findByRole('button', { name: 'Connect a server' })
  expect(screen.queryByText('Home server')).toBeNull()
})

test('another member sees the name of the server, and can have its list read again', async () => {
  await show(listing({ host: null }), { isOwner: false })

  await screen.findByRole('heading', { name: 'Home server' })
  expect(screen.getByText('Jellyfin')).toBeDefined()
  expect(screen.getAllByRole('button').map(({ ariaLabel, textContent }) => ariaLabel ?? textContent)).toEqual([
    'Read again: Home server',
  ])
})

test('another member sees nothing if no server is connected', async () => {
  const { container, client } = await show({ listMediaServers: () => ({ servers: [] }) }, { isOwner: false })

  await waitFor(() => expect(client.getQueryData(['media-servers', 'w1'])).toEqual([]))
  expect(container.textContent).toBe('')
})
