import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, NO_FACTS } from '#web/testing/samples.ts'

import { LibrarySection } from './library-section.tsx'

tidyUp()

const section = <LibrarySection watchlistId="w1" members={['Ana', 'Ben']} isMember />

test('an empty library explains how movies arrive, and a search without results suggests what to try', async () => {
  fakeApi({ listLibrary: () => ({ cards: [], nextToken: null }) })
  await renderPart(section)

  expect(await screen.findByText('Every movie that leaves the box comes here. Reveal the first one.')).toBeDefined()
  await userEvent.type(screen.getByRole('searchbox'), 'xyz')

  expect(await screen.findByText('Try fewer words, or remove a filter.')).toBeDefined()
})

test('a failure to load the library is shown and can be retried', async () => {
  let isBroken = true
  fakeApi({
    listLibrary: () =>
      isBroken ? new Refusal(404, 'NOT_FOUND', 'Resource not found') : { cards: [aCard('c1')], nextToken: null },
  })
  await renderPart(section)

  expect((await screen.findByRole('alert')).textContent).toContain('The library could not be loaded.')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await screen.findByText('1 movie')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a filter is applied by the server and removed with its chip', async () => {
  const api = fakeApi({ listLibrary: () => ({ cards: [aCard('c1')], nextToken: null }) })
  await renderPart(section)
  const lastQuery = () => String(api.callsOf('listLibrary').at(-1)?.request.query)

  await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Suggested by' }), 'Ben')
  await waitFor(() => expect(lastQuery()).toBe('suggestedBy=Ben&sort=changed&limit=50'))
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter Ben' }))

  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove the filter Ben' })).toBeNull())
})

test('the library shows a card that another member changes, and hides one that they delete', async () => {
  const stream = aLiveStream()
  fakeApi({
    listLibrary: () => ({ cards: [aCard('c1'), aCard('c2')], nextToken: null }),
    getCard: () => aCard('c1', 'WATCHED', { title: 'Renamed' }),
    watchlistEvents: () => stream.response,
  })
  await renderPart(section)
  await screen.findByText('2 movies')

  stream.tell({ kind: 'card-changed', watchlistId: 'w1', cardId: 'c1', by: 'Ben' })
  expect(await screen.findByRole('button', { name: /Renamed/u })).toBeDefined()
  stream.tell({ kind: 'card-deleted', watchlistId: 'w1', cardId: 'c2', by: 'Ben' })

  expect(await screen.findByText('1 movie')).toBeDefined()
})

test('a movie that another member accepts appears in the library', async () => {
  const stream = aLiveStream()
  const renamed = aCard('c1', 'WATCHED', { title: 'Renamed' })
  const accepted = aCard('c2', 'WATCHED')
  let watched = [aCard('c1', 'WATCHED')]
  fakeApi({
    listLibrary: () => ({ cards: watched, nextToken: null }),
    getCard: ({ params }) => (params['cardId'] === 'c1' ? renamed : accepted),
    watchlistEvents: () => stream.response,
  })
  await renderPart(section)
  await screen.findByText('1 movie')
  stream.tell({ kind: 'card-changed', watchlistId: 'w1', cardId: 'c1', by: 'Ben' })
  await screen.findByRole('button', { name: /Renamed/u })

  watched = [renamed, accepted]
  stream.tell({ kind: 'card-changed', watchlistId: 'w1', cardId: 'c2', by: 'Ben' })

  expect(await screen.findByText('2 movies')).toBeDefined()
})

test('the filter keeps the genres of earlier searches', async () => {
  const card = (genre: string) => aCard(genre, 'REVEALED', { movie: { ...NO_FACTS, genres: [genre] } })
  fakeApi({
    listLibrary: ({ query }) => ({ cards: [card(query.has('q') ? 'Comedy' : 'War')], nextToken: null }),
  })
  await renderPart(section)
  const genres = () =>
    within(screen.getByRole('combobox', { name: 'Genre' }))
      .getAllByRole('option')
      .map(({ textContent }) => textContent)

  await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
  await waitFor(() => expect(genres()).toEqual(['Any', 'War']))
  await userEvent.type(screen.getByRole('searchbox'), 'laugh')

  await waitFor(() => expect(genres()).toEqual(['Any', 'Comedy', 'War']))
})
