import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { WatchlistList } from './watchlist-list.tsx'

tidyUp()

const CURRENT = { getCurrentWatchlist: () => ({ currentWatchlistId: 'w1' }) }

test('another watchlist is created below the list, and the form can be cancelled', async () => {
  const created: string[] = []
  fakeApi({ ...CURRENT, listWatchlists: () => [aWatchlist('w1')], createWatchlist: () => aWatchlist('w2') })
  await renderPart(<WatchlistList onCreated={({ id }) => created.push(id)} />)
  const name = () => screen.queryByRole('textbox', { name: 'Name' })

  await userEvent.click(await screen.findByRole('button', { name: 'Create new watchlist' }))
  expect(document.activeElement).toBe(name())
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(name()).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Create new watchlist' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Rainy Sundays{Enter}')

  await expect.poll(() => created).toEqual(['w2'])
})

test('a failure to load the watchlists is shown and can be retried', async () => {
  let isUp = false
  fakeApi({
    ...CURRENT,
    listWatchlists: () => (isUp ? [aWatchlist('w1')] : new Refusal(404, 'NOT_FOUND', 'Resource not found')),
  })
  await renderPart(<WatchlistList onCreated={() => {}} />)

  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load your watchlists.')
  isUp = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await screen.findByRole('link', { name: /Watchlist w1/u })).toBeTruthy()
})
