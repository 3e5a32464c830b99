import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { RestoreFile } from './restore-file.tsx'

tidyUp()

const FILE = {
  format: 'marquee-watchlist',
  version: 1,
  watchlist: {
    name: 'Friday films',
    description: null,
    isPrivate: false,
    createdAt: '2025-03-01T20:00:00.000Z',
    members: [{ username: 'ana', joinedAt: '2025-03-01T20:00:00.000Z' }],
  },
  cards: [],
}

async function choose(content: string, restoreWatchlist: () => ReturnType<typeof aWatchlist> | Refusal) {
  const api = fakeApi({ restoreWatchlist })
  const onRestored = vi.fn<(restored: { id: string }) => void>()
  await renderPart(<RestoreFile onRestored={onRestored} />)
  const file = new File([content], 'Friday films.json', { type: 'application/json' })
  await userEvent.upload(screen.getByLabelText('Choose an export'), file)
  return { onRestored, bodies: () => api.callsOf('restoreWatchlist').map(({ request }) => request.body) }
}

test('a chosen export is uploaded, and the restored watchlist is passed to the caller', async () => {
  const { onRestored, bodies } = await choose(JSON.stringify(FILE), () => aWatchlist('restored'))

  await expect.poll(() => onRestored.mock.calls[0]?.[0].id).toBe('restored')
  expect(bodies()).toEqual([FILE])
})

test.each(['no JSON', '{"format":"another"}'])('a file that contains %s is rejected and not sent', async (content) => {
  const { bodies } = await choose(content, () => aWatchlist())

  expect((await screen.findByRole('alert')).textContent).toBe('This is not a complete JSON export of a watchlist.')
  expect(bodies()).toEqual([])
})

test('a restore that the server refuses shows its reason', async () => {
  await choose(JSON.stringify(FILE), () => new Refusal(400, 'BAD_REQUEST', 'You cannot have more than 200 watchlists'))

  expect(await screen.findByText(/You cannot have more than 200 watchlists/u)).toBeTruthy()
})
