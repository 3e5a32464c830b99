import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { currentWatchlist, useOpenAsCurrent } from './queries.ts'

tidyUp()

function Page({ isMember }: { isMember: boolean }) {
  useOpenAsCurrent('w2', isMember)
  const { data: current } = useQuery(currentWatchlist())
  return <p>{`Current: ${current}`}</p>
}

/** Opens the page of w2 while the server remembers another choice. Returns the choices that were saved. */
async function openPage({ isMember = true, remembers = 'w1' } = {}) {
  const server = { current: remembers }
  const api = fakeApi({
    listWatchlists: () => (isMember ? [aWatchlist('w1'), aWatchlist('w2')] : [aWatchlist('w1')]),
    getCurrentWatchlist: () => ({ currentWatchlistId: server.current }),
    setCurrentWatchlist: ({ body }) => {
      server.current = (body as { watchlistId: string }).watchlistId
      return { currentWatchlistId: server.current }
    },
  })
  const { client } = await renderPart(<Page isMember={isMember} />)
  const saved = () => api.callsOf('setCurrentWatchlist').map(({ request }) => request.body)
  return { client, server, saved }
}

test('a watchlist that a member opens becomes current, in the browser and on the server', async () => {
  const { saved } = await openPage()

  expect(await screen.findByText('Current: w2')).toBeTruthy()
  await waitFor(() => expect(saved()).toEqual([{ watchlistId: 'w2' }]))
})

test('a watchlist that is already current is not saved again', async () => {
  const { saved } = await openPage({ remembers: 'w2' })

  expect(await screen.findByText('Current: w2')).toBeTruthy()
  expect(saved()).toEqual([])
})

test('a watchlist that a non-member opens does not become current', async () => {
  const { saved } = await openPage({ isMember: false })

  expect(await screen.findByText('Current: w1')).toBeTruthy()
  expect(saved()).toEqual([])
})

test('an open watchlist stays current when another tab chooses a different one', async () => {
  const { client, server, saved } = await openPage()
  await screen.findByText('Current: w2')
  await waitFor(() => expect(saved()).toHaveLength(1))

  server.current = 'w1'
  await client.invalidateQueries({ queryKey: currentWatchlist().queryKey })

  await waitFor(() => expect(saved()).toEqual([{ watchlistId: 'w2' }, { watchlistId: 'w2' }]))
  expect(screen.getByText('Current: w2')).toBeTruthy()
})
