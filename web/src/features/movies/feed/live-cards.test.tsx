import type { Card } from '@marquee/contract/entities/card'
import type { LiveEvent } from '@marquee/contract/live-events'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, aComment, drawing } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'
import { LiveRegion } from '#web/ui/live-region.tsx'

import { focusCard } from '../card/focus-card.ts'
import { MovieSection } from '../section/movie-section.tsx'

tidyUp()

const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent)
const boxText = () => screen.getByRole('region', { name: 'Movie box' }).textContent
const card = (id: string) => screen.getByRole('article', { name: `Movie ${id}` })

/** Ben's screen of a watchlist. `cards` are those of the server, and `tell` sends a live event. */
async function openSection(cards: Map<string, Card>, answers: Parameters<typeof fakeApi>[0] = {}) {
  const { response, tell } = aLiveStream()
  const server = { count: 3 }
  const api = fakeApi({
    listCards: () => ({ cards: [...cards.values()], nextToken: null }),
    countSuggestedCards: () => ({ count: server.count }),
    listSuggestions: () => ({ cards: [], nextToken: null, count: 0, wantCount: 0 }),
    getCard: ({ params }) => cards.get(params['cardId'] ?? '') ?? new Refusal(404, 'NOT_FOUND', 'no'),
    watchlistEvents: () => response,
    ...answers,
  })
  await renderPart(
    <>
      <LiveRegion />
      <MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />
    </>,
  )
  await waitFor(() => expect(titles()).toHaveLength(cards.size))
  const happens = (kind: LiveEvent['kind'], cardId?: string, by = 'Ana') =>
    tell({
      kind,
      watchlistId: 'w1',
      ...(kind === 'box-changed' ? {} : { by }),
      ...(cardId === undefined ? {} : { cardId }),
    })
  return { api, server, happens }
}

const cardsOf = (...cards: Card[]) => new Map(cards.map((one) => [one.id, one]))
const LATER = { statusChangedAt: '2026-03-09T10:00:00.000Z' }

/** A card that Ana has just revealed. */
const revealedByAna = (id: string, at = LATER.statusChangedAt) =>
  aCard(id, 'REVEALED', {
    statusChangedAt: at,
    statusChanges: [{ status: 'REVEALED', changedBy: 'Ana', changedAt: at }],
  })
const notice = async () => screen.findByRole('complementary', { name: 'Just revealed' })

// Evidence: wcag-2.2.2
test('a card that another member reveals is announced, and waits until the user shows it', async () => {
  const cards = cardsOf(aCard('a'))
  const { server, happens } = await openSection(cards)

  cards.set('drawn', revealedByAna('drawn'))
  server.count = 2
  happens('card-revealed', 'drawn')
  happens('box-changed')

  expect((await notice()).textContent).toContain('Ana revealedMovie drawn')
  expect(screen.getByText('Ana revealed Movie drawn')).toBeTruthy()
  await waitFor(() => expect(boxText()).toContain('2 cards'))
  expect(titles()).toEqual(['Movie a'])
  await userEvent.click(within(await notice()).getByRole('button', { name: 'Show' }))

  expect(titles()).toEqual(['Movie drawn', 'Movie a'])
  expect(card('drawn').closest('.animate-reveal')).not.toBeNull()
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('cards revealed by others keep waiting when the user’s own move reloads the feed', async () => {
  const cards = cardsOf(aCard('a'), aCard('b'))
  const { happens } = await openSection(cards, { moveCard: () => aCard('b', 'WATCHED') })
  cards.set('one', revealedByAna('one'))
  happens('card-revealed', 'one')
  await notice()
  cards.set('other', revealedByAna('other', '2026-03-09T11:00:00.000Z'))

  await userEvent.click(within(card('b')).getByRole('button', { name: 'Accept' }))
  await waitFor(async () => expect((await notice()).textContent).toContain('Movie other'))
  expect(titles()).toEqual(['Movie a', 'Movie b'])
  await userEvent.click(within(await notice()).getByRole('button', { name: 'Dismiss' }))

  expect(titles()).toEqual(['Movie other', 'Movie one', 'Movie a', 'Movie b'])
})

test('a reveal is announced even if the feed was reloaded before the event arrived', async () => {
  const cards = cardsOf(aCard('a'), aCard('b'))
  const { happens } = await openSection(cards, { moveCard: () => aCard('b', 'WATCHED') })
  cards.set('drawn', revealedByAna('drawn'))
  await userEvent.click(within(card('b')).getByRole('button', { name: 'Accept' }))
  await notice()
  expect(screen.queryByText('Ana revealed Movie drawn')).toBeNull()

  happens('card-revealed', 'drawn')

  expect(await screen.findByText('Ana revealed Movie drawn')).toBeTruthy()
})

test('a card that another member puts back is replaced by a message until the user closes it', async () => {
  const cards = cardsOf(aCard('a'), aCard('b'))
  const { happens } = await openSection(cards)

  cards.delete('a')
  happens('card-changed', 'a')

  const list = screen.getByRole('list', { name: 'Waiting for a decision' })
  expect(await within(list).findByText('Ana put Movie a back in the box')).toBeTruthy()
  expect([titles(), list.children.length]).toEqual([['Movie b'], 2])
  await userEvent.click(within(list).getByRole('button', { name: 'Close' }))

  expect(list.children).toHaveLength(1)
})

test('a card in the bar that another member decides moves to the decided cards', async () => {
  const cards = cardsOf(aCard('a'))
  const { happens } = await openSection(cards)
  const revealed = revealedByAna('drawn')
  cards.set('drawn', revealed)
  happens('card-revealed', 'drawn')
  await notice()

  const changedAt = '2026-03-09T10:05:00.000Z'
  const accepted = { status: 'WATCHED' as const, changedBy: 'Cleo', changedAt }
  cards.set('drawn', {
    ...revealed,
    status: 'WATCHED',
    statusChangedAt: changedAt,
    statusChanges: [...revealed.statusChanges, accepted],
  })
  happens('card-changed', 'drawn', 'Cleo')

  await waitFor(() => expect(titles()).toEqual(['Movie a', 'Movie drawn']), WITHIN)
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(within(card('drawn')).getByRole('button', { expanded: false })).toBeTruthy()
})

test('the focus moves from the bar to the heading of the movies when the bar changes or disappears', async () => {
  const cards = cardsOf(aCard('a'))
  const { happens } = await openSection(cards)
  const heading = screen.getByRole('heading', { name: 'Movies' })
  const focusBar = async () =>
    within(await notice())
      .getByRole('button', { name: 'Show' })
      .focus()
  cards.set('one', revealedByAna('one'))
  happens('card-revealed', 'one')
  await notice()
  await focusBar()

  cards.set('other', revealedByAna('other', '2026-03-09T11:00:00.000Z'))
  happens('card-revealed', 'other')
  await waitFor(async () => expect((await notice()).textContent).toContain('Movie other'), WITHIN)
  expect(document.activeElement).toBe(heading)
  await focusBar()

  for (const id of ['other', 'one']) {
    cards.set(id, { ...revealedByAna(id), status: 'WATCHED', statusChangedAt: '2026-03-09T11:05:00.000Z' })
    happens('card-changed', id)
  }
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull(), WITHIN)
  expect(document.activeElement).toBe(heading)
})

test('the focus goes from the bar to the card that it shows', async () => {
  const cards = cardsOf(aCard('a'))
  const { happens } = await openSection(cards)
  cards.set('drawn', revealedByAna('drawn'))
  happens('card-revealed', 'drawn')

  await userEvent.click(within(await notice()).getByRole('button', { name: 'Show' }))

  await waitFor(() => expect(document.activeElement?.textContent).toContain('Movie drawn'), WITHIN)
})

test('any key skips the animation of a reveal', async () => {
  const cards = cardsOf(aCard('a'))
  const { happens } = await openSection(cards)
  cards.set('drawn', revealedByAna('drawn'))
  happens('card-revealed', 'drawn')
  await userEvent.click(within(await notice()).getByRole('button', { name: 'Show' }))
  expect(card('drawn').closest('.animate-reveal')).not.toBeNull()

  await userEvent.keyboard('{Escape}')

  expect(card('drawn').closest('.animate-reveal')).toBeNull()
})

test('a card that the user reveals on another device appears without an animation', async () => {
  const cards = cardsOf(aCard('a'))
  const { happens } = await openSection(cards)

  cards.set('drawn', aCard('drawn', 'REVEALED', LATER))
  happens('card-revealed', 'drawn', 'ben')

  await waitFor(() => expect(titles()).toEqual(['Movie drawn', 'Movie a']))
  expect(card('drawn').closest('.animate-reveal')).toBeNull()
  expect(screen.queryByText(/revealed Movie drawn/u)).toBeNull()
})

test('a change by another member reads only its card, not the feed', async () => {
  const cards = cardsOf(aCard('a'), aCard('b'), aCard('c'))
  const { api, happens } = await openSection(cards)
  const reads = api.callsOf('listCards').length

  cards.set('b', aCard('b', 'WATCHED', LATER))
  happens('card-changed', 'b')
  await waitFor(() => expect(card('b').textContent).toContain('Watched'))
  expect(titles()).toEqual(['Movie a', 'Movie b', 'Movie c'])
  expect(screen.getByText('Ana accepted Movie b')).toBeTruthy()

  cards.set('c', aCard('c', 'REVEALED', { lastComments: [aComment(1)] }))
  happens('comments-changed', 'c')
  await waitFor(() => expect(card('c').textContent).toContain('1 new comment'))
  expect(screen.getByText('Ana commented on Movie c')).toBeTruthy()

  cards.delete('a')
  happens('card-deleted', 'a')
  await waitFor(() => expect(titles()).toEqual(['Movie b', 'Movie c']))
  expect(screen.getAllByText('Ana deleted Movie a')).toHaveLength(2)

  cards.delete('c')
  happens('card-changed', 'c')
  await waitFor(() => expect(titles()).toEqual(['Movie b']))
  expect(screen.getAllByText('Ana put Movie c back in the box')).toHaveLength(2)
  expect(api.callsOf('listCards')).toHaveLength(reads)
})

test('a move is shown before the server replies, and a refusal reverts it with the reason at the card', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await openSection(cardsOf(aCard('a'), aCard('b')), {
    moveCard: async () => {
      await answered
      return new Refusal(400, 'BAD_REQUEST', 'Ana was faster')
    },
  })

  await userEvent.click(within(card('b')).getByRole('button', { name: 'Put Back' }))
  await waitFor(() => expect(titles()).toEqual(['Movie a']))
  expect(boxText()).toContain('4 cards')
  answer()

  expect((await within(await screen.findByRole('article', { name: 'Movie b' })).findByRole('alert')).textContent).toBe(
    'Failed to update movie statusAna was faster',
  )
  expect(titles()).toEqual(['Movie b', 'Movie a'])
  expect(boxText()).toContain('3 cards')
})

test('events during a move are applied after the server’s reply', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const cards = cardsOf(aCard('a'))
  const accepted = aCard('a', 'WATCHED', LATER)
  const { api, happens } = await openSection(cards, {
    moveCard: async () => {
      await answered
      cards.set('a', accepted)
      return accepted
    },
  })

  await userEvent.click(within(card('a')).getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(card('a').textContent).toContain('Watched'))
  happens('comments-changed', 'a')
  await waitFor(() => expect(card('a').contains(document.activeElement)).toBe(true))
  expect(api.callsOf('getCard')).toEqual([])
  answer()

  await waitFor(() => expect(api.callsOf('getCard').map(({ request }) => request.params['cardId'])).toEqual(['a']))
  expect(card('a').textContent).toContain('Watched')
})

test('a new card is counted once, even if its event arrives before the reply', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const cards = cardsOf(aCard('a'))
  const { server, happens } = await openSection(cards, {
    addCard: async () => {
      await answered
      return aCard('mine', 'SUGGESTED')
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Add a movie' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Title' }), 'Mine')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/mine.jpg')
  await userEvent.click(screen.getByRole('button', { name: 'Add to watchlist' }))

  server.count = 4
  happens('box-changed')
  cards.set('drawn', aCard('drawn', 'REVEALED', LATER))
  happens('card-revealed', 'drawn')
  await waitFor(() => expect(titles()).toEqual(['Movie drawn', 'Movie a']))
  const whileUnanswered = boxText()
  answer()

  await waitFor(() => expect(boxText()).toContain('4 cards'))
  expect(whileUnanswered).toContain('3 cards')
})

test('a reveal is counted once, even if the box is counted before the reply', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { revealDraw, ...draw } = drawing(aCard('drawn'))
  const { api, server, happens } = await openSection(cardsOf(aCard('a')), {
    ...draw,
    revealDraw: async () => {
      await answered
      return revealDraw()
    },
  })
  await waitFor(() => expect(boxText()).toContain('3 cards'))
  await userEvent.click(screen.getByRole('button', { name: 'Reveal random card' }))
  await waitFor(() => expect(api.callsOf('revealDraw')).toHaveLength(1), WITHIN)

  server.count = 2
  happens('box-changed')
  await new Promise((resolve) => setTimeout(resolve, 50))
  answer()

  await waitFor(() => expect(titles()).toEqual(['Movie drawn', 'Movie a']), WITHIN)
  await waitFor(() => expect(api.callsOf('countSuggestedCards').length).toBeGreaterThan(1), WITHIN)
  await waitFor(() => expect(boxText()).toContain('2 cards'), WITHIN)
})

test('changes by others and by the user’s other devices appear while a new movie is being sent', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const cards = cardsOf(aCard('a'), aCard('b'))
  const { happens } = await openSection(cards, {
    addCard: async () => {
      await answered
      return aCard('mine')
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Add a movie' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Title' }), 'Mine')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/mine.jpg')
  await userEvent.click(screen.getByRole('button', { name: 'Add to watchlist' }))

  cards.set('mine', aCard('mine', 'REVEALED', LATER))
  happens('card-revealed', 'mine', 'Ben')
  cards.delete('b')
  happens('card-deleted', 'b', 'Ben')
  cards.set('a', aCard('a', 'REVEALED', { title: 'Alien' }))
  happens('card-changed', 'a')

  await waitFor(() => expect(titles()).toEqual(['Alien']), WITHIN)
  answer()
  await waitFor(() => expect(titles()).toEqual(['Movie mine', 'Alien']), WITHIN)
})

test('a link to a card that waits in the bar shows the card and moves the focus to it', async () => {
  const cards = cardsOf(aCard('a'))
  const { happens } = await openSection(cards)
  cards.set('drawn', revealedByAna('drawn'))
  happens('card-revealed', 'drawn')
  await notice()

  focusCard('drawn')

  await waitFor(() => expect(document.activeElement).toBe(card('drawn')), WITHIN)
  expect(screen.queryByRole('complementary')).toBeNull()
})

test('a member who leaves is removed from those who wanted a card', async () => {
  const cards = cardsOf(aCard('a', 'REVEALED', { wantedBy: ['Ana', 'Ben', 'Cleo'] }))
  const { happens } = await openSection(cards)
  await screen.findByText('Ben and Cleo wanted this too')

  cards.set('a', aCard('a', 'REVEALED', { wantedBy: ['Ana', 'Ben'] }))
  happens('members-changed', undefined, 'Cleo')

  expect(await screen.findByText('Ben wanted this too')).toBeTruthy()
})
