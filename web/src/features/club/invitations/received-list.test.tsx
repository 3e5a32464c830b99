import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile, aReceivedInvitation, aWatchlist } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { WaitingInvitations } from './received-list.tsx'

tidyUp()
afterEach(() => vi.useRealTimers())

async function openInvitations(answers: FakeAnswers) {
  const api = fakeApi({ getProfile: () => aProfile('Ana'), ...answers })
  const joined: Watchlist[] = []
  await renderPart(<WaitingInvitations onJoined={(watchlist) => joined.push(watchlist)} />)
  await waitFor(() => expect(api.callsOf('listReceivedInvitations')).toHaveLength(1))
  return { api, joined }
}

test('accepting an invitation opens its watchlist', async () => {
  let received = [aReceivedInvitation('w1')]
  const { api, joined } = await openInvitations({
    listReceivedInvitations: () => received,
    acceptReceivedInvitation: () => {
      received = []
      return aWatchlist('w1')
    },
  })
  expect(await screen.findByText('Ana invites you to Watchlist w1')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Accept the invitation to Watchlist w1' }))

  await waitFor(() => expect(joined.map(({ id }) => id)).toEqual(['w1']))
  expect(api.callsOf('acceptReceivedInvitation').map(({ request }) => request.params)).toEqual([{ watchlistId: 'w1' }])
})

test('declining an invitation asks for a confirmation', async () => {
  let received = [aReceivedInvitation('w1'), aReceivedInvitation('w2')]
  const { api } = await openInvitations({
    listReceivedInvitations: () => received,
    declineInvitation: () => void (received = [aReceivedInvitation('w2')]),
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Decline the invitation to Watchlist w1' }))
  await userEvent.click(screen.getByRole('button', { name: 'No' }))
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Decline the invitation to Watchlist w1' })),
  )
  expect(api.callsOf('declineInvitation')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Decline the invitation to Watchlist w1' }))
  await userEvent.click(screen.getByRole('button', { name: 'Yes, decline' }))

  expect(await screen.findByText('You declined the invitation to Watchlist w1.')).toBeTruthy()
  expect(screen.queryByText('Ana invites you to Watchlist w1')).toBeNull()
  expect(screen.getByText('Ana invites you to Watchlist w2')).toBeTruthy()
})

test('the section disappears six seconds after its last invitation is declined', async () => {
  let received = [aReceivedInvitation('w1')]
  await openInvitations({
    listReceivedInvitations: () => received,
    declineInvitation: () => void (received = []),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Decline the invitation to Watchlist w1' }))

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(screen.getByRole('button', { name: 'Yes, decline' }))
  await vi.waitUntil(() => screen.queryByText('You declined the invitation to Watchlist w1.'), WITHIN)
  act(() => void vi.advanceTimersByTime(6_000))

  expect(screen.queryByText('You declined the invitation to Watchlist w1.')).toBeNull()
  expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull()
})

test.each([
  [new Refusal(404, 'NOT_FOUND', 'Resource not found'), 'This invitation is no longer open.'],
  [
    new Refusal(500, 'SERVER_ERROR', 'Server error: 500'),
    'The invitation could not be accepted. Please try again.Server error. Please try again later.',
  ],
])('a failed acceptance shows the reason: %o', async (refusal, words) => {
  const { joined } = await openInvitations({
    listReceivedInvitations: () => [aReceivedInvitation('w1')],
    acceptReceivedInvitation: () => refusal,
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Accept the invitation to Watchlist w1' }))

  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(joined).toEqual([])
})

test('a failure to load the invitations is shown', async () => {
  await openInvitations({ listReceivedInvitations: () => new Refusal(404, 'NOT_FOUND', 'Resource not found') })

  expect((await screen.findByRole('alert')).textContent).toContain('Your invitations could not be loaded.')
})

test('the section of invitations appears only when there are any', async () => {
  const api = fakeApi({ getProfile: () => aProfile('Ana'), listReceivedInvitations: () => [] })
  const { client } = await renderPart(<WaitingInvitations onJoined={() => {}} />)
  await waitFor(() => expect(api.callsOf('listReceivedInvitations')).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()

  client.setQueryData(['invitations', 'received'], [aReceivedInvitation('w1')])

  expect(await screen.findByRole('region', { name: 'Invitations' })).toBeTruthy()
})
