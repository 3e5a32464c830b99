import type { CardsPage } from '@marquee/contract/entities/card'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, drawing } from '#web/testing/samples.ts'
import { LiveRegion } from '#web/ui/live-region.tsx'

import { MovieSection } from './movie-section.tsx'

tidyUp()

const NO_SUGGESTIONS = () => ({ cards: [], nextToken: null, count: 0, wantCount: 0 })
const page = (cards: CardsPage['cards'], nextToken: string | null = null): CardsPage => ({ cards, nextToken })
const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent)
const box = () => screen.getByRole('region', { name: 'Movie box' })

test('a visitor sees the cards without buttons, and the box is not requested', async () => {
  const api = fakeApi({ listCards: () => page([aCard('a'), aCard('b', 'WATCHED')]) })

  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember={false} isOwner={false} />)

  await waitFor(() => expect(titles()).toEqual(['Movie a', 'Movie b']))
  expect(screen.queryByRole('region', { name: 'Movie box' })).toBeNull()
  expect(screen.queryByRole('button', { name: /add|reveal random|accept|decline|put back/iu })).toBeNull()
  expect(api.callsOf('countSuggestedCards')).toEqual([])
})

test('only a revealed card can be put back, declined or accepted', async () => {
  fakeApi({
    listCards: () => page([aCard('a'), aCard('b', 'WATCHED'), aCard('c', 'REJECTED')]),
    countSuggestedCards: () => ({ count: 0 }),
  })

  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)

  await waitFor(() => expect(titles()).toHaveLength(3))
  for (const name of ['Movie b', 'Movie c'])
    await userEvent.click(screen.getByRole('button', { name, expanded: false }))
  const moves = screen
    .getAllByRole('article')
    .map((card) => within(card).queryAllByRole('button', { name: /^(?:Put Back|Decline|Accept)$/u }))
  expect(moves.map((buttons) => buttons.map(({ textContent }) => textContent))).toEqual([
    ['Put Back', 'Decline', 'Accept'],
    [],
    [],
  ])
})

test('the button to add a movie appears together with the box above it', async () => {
  const count = Promise.withResolvers<object>()
  const api = fakeApi({ listCards: () => page([]), countSuggestedCards: async () => await count.promise })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  await expect.poll(() => api.callsOf('countSuggestedCards')).toHaveLength(1)
  await expect.poll(() => api.callsOf('listCards')).toHaveLength(1)
  const before = screen.queryByRole('button', { name: 'Add a movie' })

  count.resolve({ count: 0 })

  expect(await screen.findByRole('button', { name: 'Add a movie' })).toBeTruthy()
  expect(before).toBeNull()
  expect(within(box()).getByText('The box is empty')).toBeTruthy()
})

test('an empty feed shows how many movies are in the box and what a reveal does', async () => {
  fakeApi({ listCards: () => page([]), countSuggestedCards: () => ({ count: 2 }), listSuggestions: NO_SUGGESTIONS })

  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)

  expect(await screen.findByText('2 movies wait in the box. When you reveal one, everyone sees it.')).toBeTruthy()
})

test('a revealed card goes on top and is announced, and the count of the box decreases', async () => {
  fakeApi({
    listCards: () => page([aCard('a')]),
    countSuggestedCards: () => ({ count: 3 }),
    listSuggestions: NO_SUGGESTIONS,
    ...drawing(aCard('drawn')),
  })
  await renderPart(
    <>
      <LiveRegion />
      <MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />
    </>,
  )
  await waitFor(() => expect(box().textContent).toContain('3 cards'))

  await userEvent.click(screen.getByRole('button', { name: 'Reveal random card' }))

  await waitFor(() => expect(titles()).toEqual(['Movie drawn', 'Movie a']))
  expect(box().textContent).toContain('2 cards')
  expect(screen.getByText('Revealed: Movie drawn')).toBeTruthy()
})

test('a reveal waits until a card that was just put back is in the box', async () => {
  const requests: string[] = []
  const { prepareDraw, ...reveal } = drawing(aCard('a'))
  fakeApi({
    listCards: () => page(requests.length === 0 ? [aCard('a')] : []),
    countSuggestedCards: () => ({ count: requests.length }),
    listSuggestions: NO_SUGGESTIONS,
    moveCard: async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
      requests.push('put back')
      return aCard('a', 'SUGGESTED')
    },
    prepareDraw: () => {
      requests.push('draw')
      return prepareDraw()
    },
    ...reveal,
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  await waitFor(() => expect(titles()).toEqual(['Movie a']))

  await userEvent.click(screen.getByRole('button', { name: 'Put Back' }))
  await waitFor(() => expect(box().textContent).toContain('1 card'))
  await userEvent.click(screen.getByRole('button', { name: 'Reveal random card' }))

  await waitFor(() => expect(requests).toEqual(['put back', 'draw']))
})

test('undecided cards are above the box, and the others are rows below it that open in place', async () => {
  fakeApi({
    listCards: () => page([aCard('a', 'WATCHED', { description: 'So good' }), aCard('b')]),
    countSuggestedCards: () => ({ count: 0 }),
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  await waitFor(() => expect(titles()).toEqual(['Movie b', 'Movie a']))
  const waiting = screen.getByRole('list', { name: 'Waiting for a decision' })
  expect(waiting.compareDocumentPosition(box())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  const row = screen.getByRole('article', { name: 'Movie a' })
  expect(row.textContent).toBe('Movie aWatchedMar 2, 2026')

  await userEvent.click(within(row).getByRole('button', { name: 'Movie a', expanded: false }))
  expect(within(row).getByText('So good')).toBeTruthy()
  const fold = within(row).getByRole('button', { name: 'Fold Movie a', expanded: true })
  await waitFor(() => expect(document.activeElement).toBe(fold))
  await userEvent.click(fold)

  expect(within(row).queryByText('So good')).toBeNull()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Movie a'))
})

test('only one button on the screen is filled', async () => {
  fakeApi({
    listCards: () => page([aCard('a'), aCard('b')]),
    countSuggestedCards: () => ({ count: 2 }),
    listSuggestions: NO_SUGGESTIONS,
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  await waitFor(() => expect(box().textContent).toContain('2 cards'))
  const filled = () =>
    screen
      .getAllByRole('button')
      .filter(({ className }) => className.includes('bg-accent'))
      .map(({ textContent }) => textContent)

  expect(filled()).toEqual(['Accept'])
  await userEvent.click(screen.getByRole('button', { name: 'Add a movie' }))
  await screen.findByRole('form', { name: 'Add a movie' })
  expect(filled()).toEqual(['Add to watchlist'])
})

test('no card can be revealed from an empty box', async () => {
  fakeApi({ listCards: () => page([]), countSuggestedCards: () => ({ count: 0 }) })

  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)

  expect(await screen.findByText('The box is empty')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reveal random card' }).disabled).toBe(true)
})

test('a count that cannot be read is logged and shown as zero', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue()
  fakeApi({
    listCards: () => page([]),
    countSuggestedCards: () => new Refusal(404, 'NOT_FOUND', 'Resource not found'),
  })

  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)

  expect(await screen.findByText('The box is empty')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(logged.mock.calls).toHaveLength(1)
})

const MEMBERSHIP = 'You may no longer be a member of this watchlist. Reload the page to check.'

test.each([
  [404, 'NOT_FOUND', 'No cards to reveal from the box', ['No cards to reveal from the box']],
  [
    404,
    'NOT_FOUND',
    'Resource not found',
    ['Failed to reveal a movie', 'The requested resource was not found.', MEMBERSHIP],
  ],
  [
    403,
    'UNAUTHORIZED',
    'Unauthorized access',
    ['Failed to reveal a movie', 'You are not authorized to perform this action.', MEMBERSHIP],
  ],
  [400, 'BAD_REQUEST', 'Bad request', ['Failed to reveal a movie', 'Please check your input and try again.']],
  [503, 'SERVICE_UNAVAILABLE', 'Wait a moment.', ['Failed to reveal a movie', 'Wait a moment.']],
])('a reveal refused with %i %s "%s" shows the reason and what to do', async (status, type, message, texts) => {
  fakeApi({
    listCards: () => page([]),
    countSuggestedCards: () => ({ count: 1 }),
    listSuggestions: NO_SUGGESTIONS,
    prepareDraw: () => new Refusal(status, type, message),
    revealRandomCard: () => new Refusal(status, type, message),
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  await waitFor(() => expect(box().textContent).toContain('1 card'))

  await userEvent.click(screen.getByRole('button', { name: 'Reveal random card' }))

  const alert = await screen.findByRole('alert')
  expect([...alert.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(texts)
})

test('a move reloads the feed and the count of the box, and the cards keep their places', async () => {
  let isAccepted = false
  const api = fakeApi({
    listCards: () => page(isAccepted ? [aCard('b', 'WATCHED'), aCard('a')] : [aCard('a'), aCard('b')]),
    countSuggestedCards: () => ({ count: isAccepted ? 8 : 5 }),
    listSuggestions: NO_SUGGESTIONS,
    moveCard: () => {
      isAccepted = true
      return aCard('b', 'WATCHED')
    },
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  const card = await screen.findByRole('article', { name: 'Movie b' })

  await userEvent.click(within(card).getByRole('button', { name: 'Accept' }))

  await waitFor(() => expect(box().textContent).toContain('8 cards'))
  expect(card.textContent).toContain('Movie b was accepted')
  expect(titles()).toEqual(['Movie a', 'Movie b'])
  expect(api.callsOf('moveCard').map(({ request }) => [request.params['cardId'], request.body])).toEqual([
    ['b', { status: 'WATCHED' }],
  ])
  expect(api.callsOf('listCards').at(-1)?.request.query.get('nextToken')).toBeNull()
})

test('a move that another member made first shows the reason at the card', async () => {
  fakeApi({
    listCards: () => page([aCard('a')]),
    countSuggestedCards: () => ({ count: 0 }),
    moveCard: () => new Refusal(400, 'BAD_REQUEST', 'Ben was faster'),
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  const card = await screen.findByRole('article')

  await userEvent.click(within(card).getByRole('button', { name: 'Decline' }))

  expect((await within(card).findByRole('alert')).textContent).toBe('Failed to update movie statusBen was faster')
})

test('a failed move of a card that left the feed is shown above the feed with title and reason', async () => {
  fakeApi({
    listCards: () => page([aCard('a'), aCard('b')]),
    countSuggestedCards: () => ({ count: 0 }),
    moveCard: () => new Refusal(404, 'NOT_FOUND', 'Resource not found'),
    getCard: () => new Refusal(404, 'NOT_FOUND', 'Resource not found'),
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />)
  const card = await screen.findByRole('article', { name: 'Movie a' })

  await userEvent.click(within(card).getByRole('button', { name: 'Accept' }))

  await waitFor(() => expect(titles()).toEqual(['Movie b']))
  const alert = screen.getByRole('alert')
  expect([...alert.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'Movie a',
    'Failed to update movie status',
    'The requested resource was not found.',
    'Another member may have put it back or deleted it.',
  ])
})

test('the next page is read when the last card comes into view, and a failure can be retried', async () => {
  const seen: (() => void)[] = []
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly callback: (entries: { isIntersecting: boolean }[]) => void
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.callback = callback
      }
      observe(): void {
        seen.push(() => this.callback([{ isIntersecting: true }]))
      }
      disconnect(): void {
        seen.length = 0
      }
    },
  )
  let isBroken = true
  const api = fakeApi({
    listCards: ({ query }) => {
      if (query.get('nextToken') === null) return page([aCard('a')], 'more')
      return isBroken ? new Refusal(403, 'UNAUTHORIZED', 'Unauthorized access') : page([aCard('b')])
    },
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember={false} isOwner={false} />)
  await screen.findByRole('article')

  seen.at(-1)?.()
  expect(await screen.findByText('Failed to load movie cards')).toBeTruthy()
  expect(screen.getByText('You are not authorized to perform this action.')).toBeTruthy()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  await waitFor(() => expect(titles()).toEqual(['Movie a', 'Movie b']))
  expect(api.callsOf('listCards').map(({ request }) => request.query.get('limit'))).toEqual(['10', '10', '10'])
})
