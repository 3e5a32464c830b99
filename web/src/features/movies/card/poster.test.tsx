import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { MoviePoster } from '#web/ui/movie-poster.tsx'

import { MovieSection } from '../section/movie-section.tsx'

tidyUp()

const PLACEHOLDER = 'http://localhost/images/no-poster.svg'

/** The one card of a feed, as this user sees it. */
async function showCard(username: string, posterState: 'pending' | 'failed' | 'none', isOwner = false) {
  const card = aCard('a', 'REVEALED', { imageUrl: PLACEHOLDER, posterState })
  fakeApi({ listCards: () => ({ cards: [card], nextToken: null }), countSuggestedCards: () => ({ count: 0 }) })
  await renderPart(<MovieSection watchlistId="w1" username={username} isMember isOwner={isOwner} />)
  return within(await screen.findByRole('article'))
}

test('a card whose poster is being copied shows a placeholder that says so', async () => {
  const card = await showCard('Ana', 'pending')

  const poster = card.getByRole<HTMLImageElement>('img', { name: 'Fetching the poster of Movie a' })
  expect(poster.src).not.toBe(PLACEHOLDER)
  expect(card.queryByRole('button', { name: 'Upload an image' })).toBeNull()
})

test('the creator of a card whose poster could not be copied sees the reason and can upload one', async () => {
  const card = await showCard('Ana', 'failed')
  expect(card.getByText('The poster could not be fetched from its address.')).toBeTruthy()

  await userEvent.click(card.getByRole('button', { name: 'Upload an image' }))

  const form = await card.findByRole('form', { name: 'Edit movie' })
  expect(within(form).getByRole<HTMLInputElement>('radio', { name: 'Upload a file' }).checked).toBe(true)
  expect(within(form).getByLabelText('Choose an image')).toBeTruthy()
})

test.each([
  ['another member', 'Ben', false],
  ['the owner of the watchlist', 'Ben', true],
])('%s sees a placeholder without an upload button', async (_who, username, isOwner) => {
  const card = await showCard(username, 'failed', isOwner)

  expect(card.getByRole('img', { name: 'No poster could be shown for Movie a' })).toBeTruthy()
  expect(card.queryByText('The poster could not be fetched from its address.')).toBeNull()
})

test('a card without a poster shows its title instead', async () => {
  const card = await showCard('Ana', 'none')

  expect(card.getAllByText('Movie a')).toHaveLength(2)
  expect(card.queryByRole('img', { name: /poster/iu })).toBeNull()
  expect(card.queryByRole('button', { name: 'Upload an image' })).toBeNull()
})

test('a movie without a poster has the same colours in the feed and elsewhere', async () => {
  const card = await showCard('Ana', 'none')
  const inFeed = card.getAllByText('Movie a').find((text) => text.closest('[aria-hidden]'))
  const { container } = render(<MoviePoster card={{ title: 'Movie a', imageUrl: PLACEHOLDER, posterState: 'none' }} />)
  const lookOf = (element: Element | null | undefined) => element?.closest('[aria-hidden]')?.getAttribute('style')

  expect(lookOf(inFeed)).toBe(
    'background-image: linear-gradient(to right bottom, rgb(36, 70, 107), rgb(13, 26, 43)); color: rgb(247, 243, 234);',
  )
  expect(lookOf(container.querySelector('[aria-hidden] span'))).toBe(lookOf(inFeed))
})
