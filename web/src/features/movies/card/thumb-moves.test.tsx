import type { Card } from '@marquee/contract/entities/card'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, drawing } from '#web/testing/samples.ts'

import { MovieSection } from '../section/movie-section.tsx'

tidyUp()

const MOVES = ['Put Back', 'Decline', 'Accept']

/** Ben's phone, with these cards in the feed and two in the box. */
async function openPhone(...cards: Card[]) {
  const api = fakeApi({
    listCards: () => ({ cards, nextToken: null }),
    countSuggestedCards: () => ({ count: 2 }),
    listSuggestions: () => ({ cards: [], nextToken: null, count: 0, wantCount: 0 }),
    moveCard: ({ params }) => aCard(params['cardId'] ?? '', 'WATCHED'),
    ...drawing(aCard('drawn', 'REVEALED', { statusChangedAt: '2026-03-09T10:00:00.000Z' })),
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />, { isPhone: true })
  await waitFor(() => expect(screen.queryAllByRole('article')).toHaveLength(cards.length))
  return api
}

const movesIn = (element: HTMLElement) =>
  within(element)
    .queryAllByRole('button', { name: /^(?:Put Back|Decline|Accept)$/u })
    .map(({ textContent }) => textContent)
const cardsMoves = (id: string) => movesIn(screen.getByRole('article', { name: `Movie ${id}` }))
const thumbMoves = (id: string) => movesIn(screen.getByRole('group', { name: `Decide about Movie ${id}` }))

test('the bar on a phone shows the moves of the newest undecided card, and older cards show their own', async () => {
  const api = await openPhone(aCard('done', 'WATCHED'), aCard('newer'), aCard('older'))

  expect([thumbMoves('newer'), cardsMoves('newer'), cardsMoves('older')]).toEqual([MOVES, [], MOVES])
  await userEvent.click(
    within(screen.getByRole('group', { name: 'Decide about Movie newer' })).getByRole('button', { name: 'Accept' }),
  )

  await waitFor(() => expect(api.callsOf('moveCard').map(({ request }) => request.params['cardId'])).toEqual(['newer']))
})

test('a newly revealed card replaces an undecided one in the bar', async () => {
  await openPhone(aCard('a'))

  const box = screen.getByRole('region', { name: 'Movie box' })
  await userEvent.click(within(box).getByRole('button', { name: 'Reveal random card' }))

  await waitFor(() => expect(thumbMoves('drawn')).toEqual(MOVES))
  expect([cardsMoves('drawn'), cardsMoves('a')]).toEqual([[], MOVES])
})

test('the form for a new movie is a sheet on a phone, and the bar keeps its buttons after it closes', async () => {
  await openPhone(aCard('a'))

  await userEvent.click(screen.getByRole('button', { name: 'Add a movie' }))
  const sheet = await screen.findByRole('dialog', { name: 'Add a movie' })
  await userEvent.click(within(sheet).getByRole('button', { name: 'Close' }))

  expect(screen.queryByRole('dialog')).toBeNull()
  expect([thumbMoves('a'), cardsMoves('a')]).toEqual([MOVES, []])
})
