import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { Membership } from './membership.tsx'
import { currentWatchlist, watchlistList } from './queries.ts'

tidyUp()

function Shown() {
  const { data: list = [] } = useQuery(watchlistList())
  const { data: current } = useQuery(currentWatchlist())
  return <p>{`Of ${list.map(({ id }) => id).join(' and ')} the current one is ${current}`}</p>
}

/** `dropFirst` is what a deletion or a departure does at the server. */
async function openPart(username: string, answersOf: (dropFirst: () => void) => FakeAnswers = () => ({})) {
  let gone = 0
  let lists: Watchlist[] = [aWatchlist('w1'), aWatchlist('w2')]
  const api = fakeApi({
    listWatchlists: () => lists,
    getCurrentWatchlist: () => ({ currentWatchlistId: 'w1' }),
    setCurrentWatchlist: () => ({ currentWatchlistId: 'w2' }),
    ...answersOf(() => (lists = [aWatchlist('w2')])),
  })
  const isOwner = username === 'Ana'
  await renderPart(
    <>
      <Membership watchlist={aWatchlist('w1')} username={username} isOwner={isOwner} onGone={() => (gone += 1)} />
      <Shown />
    </>,
  )
  await screen.findByText('Of w1 and w2 the current one is w1')
  return { api, gone: () => gone }
}

test('a member leaves after a confirmation, and the next watchlist becomes current', async () => {
  const { api, gone } = await openPart('Ben', (dropFirst) => ({ removeMember: dropFirst }))

  await userEvent.click(screen.getByRole('button', { name: 'Leave watchlist' }))
  expect(screen.getByRole('dialog', { name: 'Leave Watchlist w1?' })).toBeTruthy()
  expect(api.callsOf('removeMember')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }))

  await waitFor(() => expect(gone()).toBe(1))
  expect(await screen.findByText('Of w2 the current one is w2')).toBeTruthy()
  expect(api.callsOf('removeMember').map(({ request }) => request.params)).toEqual([
    { watchlistId: 'w1', username: 'Ben' },
  ])
})

test('a user who cancels stays a member', async () => {
  const { api, gone } = await openPart('Ben')

  await userEvent.click(screen.getByRole('button', { name: 'Leave watchlist' }))
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))

  expect([api.callsOf('removeMember'), gone()]).toEqual([[], 0])
})

// Evidence: wcag-3.3.4
test('the owner cannot leave, but can delete the watchlist after a warning', async () => {
  const { api, gone } = await openPart('Ana', (dropFirst) => ({ deleteWatchlist: dropFirst }))
  expect(screen.queryByRole('button', { name: 'Leave watchlist' })).toBeNull()

  await userEvent.click(screen.getByRole('button', { name: 'Delete watchlist' }))
  expect(screen.getByRole('dialog', { name: 'Delete Watchlist w1?' }).textContent).toContain(
    'All its movies, comments and invitations are deleted, for all 2 members. This cannot be undone.',
  )
  expect(api.callsOf('deleteWatchlist')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Delete for good' }))

  await waitFor(() => expect(gone()).toBe(1))
  expect(await screen.findByText('Of w2 the current one is w2')).toBeTruthy()
})

test('a failed deletion is shown in its dialog', async () => {
  const { gone } = await openPart('Ana', () => ({
    deleteWatchlist: () => new Refusal(500, 'SERVER_ERROR', 'Server error: 500'),
  }))

  await userEvent.click(screen.getByRole('button', { name: 'Delete watchlist' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete for good' }))

  expect((await screen.findByRole('alert')).textContent).toBe(
    'The watchlist could not be deleted. Please try again.Server error. Please try again later.',
  )
  expect(gone()).toBe(0)
  expect(screen.getByText('Of w1 and w2 the current one is w1')).toBeTruthy()
})

test('the owner makes the watchlist private with one switch', async () => {
  const { api } = await openPart('Ana', () => ({
    setWatchlistPrivacy: ({ body }) => aWatchlist('w1', body as { isPrivate: boolean }),
  }))
  const privacy = screen.getByRole<HTMLInputElement>('switch', { name: 'Private' })
  expect(privacy.checked).toBe(false)

  fireEvent.click(privacy)

  expect(privacy.checked).toBe(true)
  await waitFor(() => expect(api.callsOf('setWatchlistPrivacy')[0]?.request.body).toEqual({ isPrivate: true }))
})

test('a failed change of privacy is shown and reverted', async () => {
  await openPart('Ana', () => ({ setWatchlistPrivacy: () => new Refusal(403, 'UNAUTHORIZED', 'Unauthorized access') }))

  await userEvent.click(screen.getByRole('switch', { name: 'Private' }))

  expect((await screen.findByRole('alert')).textContent).toContain('This could not be changed. Please try again.')
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false))
})
