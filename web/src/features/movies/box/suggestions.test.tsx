import type { Card, Want } from '@marquee/contract/entities/card'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN } from '#web/testing/samples.ts'

import { MovieSection } from '../section/movie-section.tsx'
import { SuggestionList } from './suggestion-list.tsx'

tidyUp()
afterEach(() => sessionStorage.clear())

/** A watchlist with these cards of Ana and three of others in the box. `tell` sends a live event. */
function aBox(...titles: string[]) {
  const server = {
    feed: [] as Card[],
    wants: [] as Want[],
    refusal: undefined as Promise<Refusal> | undefined,
    own: titles.map((title) => aCard(title, 'SUGGESTED', { title })),
  }
  const { response, tell } = aLiveStream()
  const api = fakeApi({
    listCards: () => ({ cards: server.feed, nextToken: null }),
    countSuggestedCards: () => ({ count: server.own.length + 3 }),
    listSuggestions: () => ({
      cards: server.own,
      nextToken: null,
      count: server.own.length,
      wantCount: server.wants.length,
    }),
    listWants: () => ({ wants: server.wants, nextToken: null }),
    unwantMovie: async ({ params }) => {
      const refusal = await server.refusal
      if (refusal !== undefined) return refusal
      server.wants = server.wants.filter(({ wantId }) => wantId !== params['wantId'])
      return undefined
    },
    watchlistEvents: () => response,
    editCard: ({ params, body }) => {
      server.own = server.own.map((card) => (card.id === params['cardId'] ? { ...card, ...(body as object) } : card))
      return server.own.find(({ id }) => id === params['cardId'])
    },
    deleteCard: ({ params }) => {
      server.own = server.own.filter(({ id }) => id !== params['cardId'])
    },
    getCard: () => server.feed[0],
  })
  return { api, server, tell }
}

/** Ana's screen of the box. */
async function openBox(...titles: string[]) {
  const box = aBox(...titles)
  await renderPart(<MovieSection watchlistId="w1" username="Ana" isMember isOwner={false} />)
  await screen.findByText('No movies here yet')
  return box
}

/** Ana's list of her suggestions. */
async function openList(...titles: string[]) {
  const box = aBox(...titles)
  await renderPart(<SuggestionList watchlistId="w1" />)
  await screen.findByText(titles.length > 0 ? /^Only you see/u : /^None of your cards/u)
  return box
}

const listed = () =>
  within(screen.getByRole('list', { name: 'Your suggestions' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('the box shows how many of its cards are the user’s, and links to their list', async () => {
  await openBox('Playtime', 'Yi Yi')

  expect((await screen.findByRole('link', { name: '2 are yours' })).getAttribute('href')).toBe(
    '/watchlists/w1/suggestions',
  )
  expect(screen.queryByText('Playtime')).toBeNull()
})

test('the box has no link for a user without cards in it', async () => {
  await openBox()

  await waitFor(() => expect(screen.getByRole('region', { name: 'Movie box' }).textContent).toContain('3 cards'))

  expect(within(screen.getByRole('region', { name: 'Movie box' })).queryByRole('link')).toBeNull()
})

test('the box also links to the list if the user only wants movies of others', async () => {
  const { server, tell } = await openBox()
  server.wants = [{ wantId: 'wr', title: 'Ran', createdAt: '2026-03-02T20:14:00.000Z' }]
  tell({ kind: 'box-changed', watchlistId: 'w1' })

  expect(await screen.findByRole('link', { name: 'Your suggestions' })).toBeTruthy()
})

test('the list shows the cards that the user has in the box', async () => {
  await openList('Playtime', 'Yi Yi')

  expect(listed()).toEqual(['PlaytimeIn the box since Mar 2, 2026', 'Yi YiIn the box since Mar 2, 2026'])
})

test('movies that the user also wants are listed with the user’s own facts, and can be removed', async () => {
  const { api, server, tell } = await openList()
  const createdAt = '2026-03-02T20:14:00.000Z'
  server.wants = [
    { wantId: 'wa', title: 'Alien', movie: ALIEN, createdAt },
    { wantId: 'wr', title: 'Ran', createdAt },
  ]
  tell({ kind: 'box-changed', watchlistId: 'w1' })

  const list = await screen.findByRole('list', { name: 'Movies you want too' })
  const items = () => within(list).queryAllByRole('listitem')
  await waitFor(() => expect(items()).toHaveLength(2))
  expect(items()[0]?.textContent).toBe(
    'Alien1979 · 1 h 57 · Horror, Science fiction · Ridley ScottWanted since Mar 2, 2026',
  )
  expect(screen.getByText('None of your cards is in the box.')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Stop wanting Alien' }))

  await waitFor(() => expect(items().map(({ textContent }) => textContent)).toEqual(['RanWanted since Mar 2, 2026']))
  expect(api.callsOf('unwantMovie').map(({ request }) => request.params['wantId'])).toEqual(['wa'])
})

test('a second movie can be removed while the first is being removed, and each failure names its movie', async () => {
  const { promise: refusal, resolve: refuse } = Promise.withResolvers<Refusal>()
  const { api, server, tell } = await openList()
  const createdAt = '2026-03-02T20:14:00.000Z'
  server.wants = [
    { wantId: 'wa', title: 'Alien', createdAt },
    { wantId: 'wr', title: 'Ran', createdAt },
  ]
  server.refusal = refusal
  tell({ kind: 'box-changed', watchlistId: 'w1' })

  await userEvent.click(await screen.findByRole('button', { name: 'Stop wanting Alien' }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Stop wanting Alien' }).disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Stop wanting Ran' }))
  await waitFor(() => expect(api.callsOf('unwantMovie')).toHaveLength(2))
  expect(api.callsOf('unwantMovie').map(({ request }) => request.params['wantId'])).toEqual(['wa', 'wr'])

  refuse(new Refusal(400, 'BAD_REQUEST', 'Not now'))
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'AlienFailed to change what you wantNot now',
      'RanFailed to change what you wantNot now',
    ]),
  )
})

test('a suggestion is edited in place', async () => {
  const { api } = await openList('Palytime')

  await userEvent.click(screen.getByRole('button', { name: 'Edit Palytime' }))
  const field = await screen.findByLabelText('Title')
  await userEvent.clear(field)
  await userEvent.type(field, 'Playtime')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))

  await waitFor(() => expect(listed()).toEqual(['PlaytimeIn the box since Mar 2, 2026']))
  expect(api.callsOf('editCard')).toHaveLength(1)
})

// Evidence: wcag-3.3.4
test('a suggestion is withdrawn after a confirmation, and the focus stays in the list', async () => {
  const { api } = await openList('Playtime')

  await userEvent.click(screen.getByRole('button', { name: 'Take Playtime out of the box' }))
  expect(await screen.findByRole('dialog', { name: 'Take Playtime out of the box?' })).toBeTruthy()
  expect(api.callsOf('deleteCard')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Take it out' }))

  expect(await screen.findByText('None of your cards is in the box.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.textContent).toContain('None of your cards is in the box.'))
})

test('a suggestion that is drawn during its withdrawal leaves the list, and the dialog closes', async () => {
  const { server, tell } = await openList('Playtime', 'Yi Yi')
  await userEvent.click(screen.getByRole('button', { name: 'Take Playtime out of the box' }))
  await screen.findByRole('dialog')

  server.feed = [aCard('Playtime', 'REVEALED', { title: 'Playtime' })]
  server.own = server.own.slice(1)
  tell({ kind: 'card-revealed', watchlistId: 'w1', cardId: 'Playtime', by: 'Ben' })
  tell({ kind: 'box-changed', watchlistId: 'w1', by: 'Ben' })

  await waitFor(() => expect(listed()).toEqual(['Yi YiIn the box since Mar 2, 2026']))
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Only you see/u))
})
