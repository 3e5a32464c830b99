import type { Availability } from '@marquee/contract/entities/availability'
import type { MediaPlayer, ServerCopy } from '@marquee/contract/entities/media-server'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { Choices } from '../big-screen/choices.tsx'
import { NightServers } from './lazy-servers.tsx'

tidyUp()

const HOME: ServerCopy = {
  serverId: 's1',
  kind: 'jellyfin',
  name: 'Home server',
  link: 'https://jellyfin.example/#/details?id=a1',
}
const ATTIC: ServerCopy = {
  serverId: 's2',
  kind: 'jellyfin',
  name: 'Attic',
  link: 'https://attic.example/#/details?id=b2',
}
const TV: MediaPlayer = {
  serverId: 's1',
  serverName: 'Home server',
  sessionId: 'p1',
  device: 'Living room',
  app: 'Jellyfin TV',
}
const LAPTOP: MediaPlayer = { ...TV, sessionId: 'p2', device: 'Laptop', app: 'Jellyfin Web' }

async function show(
  answers: FakeAnswers = {},
  {
    servers = [HOME],
    canPlay = true,
    isOn = true,
    request = null,
  }: { servers?: ServerCopy[]; canPlay?: boolean; isOn?: boolean; request?: Availability['request'] } = {},
) {
  const before = features()
  setFeatures({ ...before, ...(isOn && { mediaServers: true }) })
  onTestFinished(() => setFeatures(before))
  const where = { cardId: 'c1', streaming: [], paid: [], link: null, servers, havers: [], request }
  const api = fakeApi({
    listNightAvailability: () => ({ cards: [where] }),
    listPlayers: () => ({ players: [TV, LAPTOP] }),
    playWinner: () => undefined,
    ...answers,
  })
  const { container, client } = await renderPart(
    <Choices>
      <NightServers
        watchlistId="w1"
        nightId="n1"
        cardId="c1"
        title="Alien"
        present={['Ana', 'Ben']}
        canPlay={canPlay}
      />
    </Choices>,
  )
  return { container, client, plays: () => api.callsOf('playWinner').map(({ request }) => request.body), api }
}

test('the winner plays only on the device that the user chooses', async () => {
  const { plays } = await show()

  await userEvent.click(await screen.findByRole('button', { name: 'Play on…' }))
  const device = await screen.findByRole('button', { name: 'Living room · Jellyfin TV' })
  expect(plays()).toEqual([])
  await userEvent.click(device)

  await screen.findByText('Alien starts on Living room.')
  expect(plays()).toEqual([{ serverId: 's1', sessionId: 'p1' }])
})

test('a remote control reaches the link, the button and each device', async () => {
  await show()
  const link = await screen.findByRole('link', { name: 'Open in Jellyfin' })
  await userEvent.click(screen.getByRole('button', { name: 'Play on…' }))
  await screen.findByRole('button', { name: 'Laptop · Jellyfin Web' })

  const reached = []
  for (let press = 0; press < 3; press += 1) {
    await userEvent.keyboard('{ArrowRight}')
    reached.push(document.activeElement?.textContent)
  }

  expect(reached).toEqual(['Living room · Jellyfin TV', 'Laptop · Jellyfin Web', 'Open in Jellyfin'])
  expect(document.activeElement).toBe(link)
})

test('a failure to play shows its reason and keeps the link', async () => {
  await show({ playWinner: () => new Refusal(400, 'BAD_REQUEST', 'This player is not there any more') })

  await userEvent.click(await screen.findByRole('button', { name: 'Play on…' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Living room · Jellyfin TV' }))

  expect((await screen.findByRole('alert')).textContent).toBe('Alien did not start.This player is not there any more')
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open in Jellyfin' })
  expect([link.href, link.target, link.rel]).toEqual([
    'https://jellyfin.example/#/details?id=a1',
    '_blank',
    'noopener noreferrer',
  ])
})

test('a failure to list the devices is shown and can be retried', async () => {
  let isOff = true
  await show({
    listPlayers: () =>
      isOff ? new Refusal(400, 'BAD_REQUEST', 'No media server answers at this address') : { players: [TV] },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Play on…' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The devices could not be listed.No media server answers at this address',
  )

  isOff = false
  await userEvent.click(screen.getByRole('button', { name: 'Look again' }))

  expect((await screen.findByRole('button', { name: 'Living room · Jellyfin TV' })).textContent).toBe(
    'Living room · Jellyfin TV',
  )
})

test('the page explains what to do if no device is ready', async () => {
  await show({ listPlayers: () => ({ players: [] }) })

  await userEvent.click(await screen.findByRole('button', { name: 'Play on…' }))

  expect((await screen.findByText(/^No device is ready/u)).textContent).toBe(
    'No device is ready. Open the app of the server on the device that is to play, then look again.',
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Look again' }).disabled).toBe(false)
})

test('two servers are named on their links and their devices', async () => {
  const players = [TV, { ...LAPTOP, serverId: 's2', serverName: 'Attic' }]
  await show({ listPlayers: () => ({ players }) }, { servers: [HOME, ATTIC] })

  await userEvent.click(await screen.findByRole('button', { name: 'Play on…' }))
  await screen.findByRole('button', { name: 'Living room · Jellyfin TV · Home server' })
  expect(screen.getByRole('button', { name: 'Laptop · Jellyfin Web · Attic' })).toBeDefined()
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Open in Jellyfin (Home server)',
    'Open in Jellyfin (Attic)',
  ])
})

test('a member who is not at the night can open the movie but not play it', async () => {
  await show({}, { canPlay: false })

  await screen.findByRole('link', { name: 'Open in Jellyfin' })
  expect(screen.queryByRole('button', { name: 'Play on…' })).toBeNull()
})

test('a movie that is on no server shows no link and no button', async () => {
  const { client, container } = await show({}, { servers: [] })

  const read = () =>
    client.getQueryData<{ servers: ServerCopy[] }>(['availability', 'night', 'n1', 'c1', ['Ana', 'Ben']])
  await waitFor(() => expect(read()?.servers).toEqual([]))
  expect(container.textContent).toBe('')
})

test('an installation without media servers shows nothing and sends no request', async () => {
  const { api, container } = await show({}, { isOn: false })

  expect(container.textContent).toBe('')
  expect(api.callsOf('listNightAvailability')).toHaveLength(0)
})

test('a member at the night can ask for a winner that no server has', async () => {
  const { api } = await show(
    { askForMovie: () => ({ cardId: 'c1', state: 'asked' }) },
    { servers: [], request: 'possible' },
  )

  await userEvent.click(await screen.findByRole('button', { name: 'Ask for it: Alien' }))

  const state = await screen.findByText('Asked for')
  await waitFor(() => expect(document.activeElement).toBe(state))
  expect(api.callsOf('askForMovie').map(({ request }) => request.params)).toEqual([{ watchlistId: 'w1', cardId: 'c1' }])
})

test('a member who is not at the night cannot ask for the winner', async () => {
  const { api } = await show({}, { servers: [], request: 'possible', canPlay: false })

  await waitFor(() => expect(api.callsOf('listNightAvailability')).toHaveLength(1))
  expect(screen.queryByRole('button')).toBeNull()
})

test('a member who is not at the night sees that the requested winner is on its way', async () => {
  await show({}, { servers: [], request: 'coming', canPlay: false })

  expect(await screen.findByText('On its way')).toBeDefined()
})
