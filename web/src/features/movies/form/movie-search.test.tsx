import type { CatalogueMovie, CatalogueResult } from '@marquee/contract/entities/catalogue'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN } from '#web/testing/samples.ts'

import { AddMovieForm } from './card-forms.tsx'

tidyUp()

const before = features()
beforeEach(() => setFeatures({ ...before, catalogue: 'wikidata' }))
afterEach(() => setFeatures(before))

const aResult = (title: string, changes: Partial<CatalogueResult> = {}): CatalogueResult => ({
  source: 'wikidata',
  id: 'Q103569',
  title,
  originalTitle: title,
  year: 1979,
  directors: ['Ridley Scott'],
  posterUrl: null,
  ...changes,
})

const FOUND: CatalogueMovie = {
  title: 'Alien',
  description: 'A crew meets a stranger.',
  posterUrl: 'http://localhost:3000/images/alien-640.webp',
  movie: ALIEN,
}

const DOWN = () => new Refusal(503, 'SERVICE_UNAVAILABLE', 'Try again later')

async function openForm(answers: FakeAnswers) {
  const api = fakeApi({
    addCard: () => aCard('c1', 'SUGGESTED'),
    matchMovie: () => ({ inFeed: null, isInBox: false }),
    ...answers,
  })
  await renderPart(<AddMovieForm watchlistId="w1" onAdded={() => {}} />)
  return api
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search for a movie, or paste a link' })
const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
/** Until the form is filled in, and the focus is on the button that sends it. */
async function pasteLink() {
  await userEvent.paste('https://www.imdb.com/title/tt0078748/')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add to watchlist'))
  expect(valueOf('Title')).toBe('Alien')
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const activeOption = () =>
  document.querySelector(`[id="${field().getAttribute('aria-activedescendant')}"]`)?.textContent

test('a movie is found by its title, chosen and added with the keyboard alone', async () => {
  const api = await openForm({
    searchCatalogue: () => ({ results: [aResult('Alien'), aResult('Aliens', { id: 'Q104814', year: 1986 })] }),
    readCatalogueMovie: () => FOUND,
  })

  await userEvent.keyboard('ali')
  expect(await screen.findByText('2 movies found')).toBeTruthy()
  expect(options()).toEqual(['Alien1979 · Ridley Scott', 'Aliens1986 · Ridley Scott', 'Add “ali” by hand'])
  expect(activeOption()).toBe('Alien1979 · Ridley Scott')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add to watchlist'))
  expect([valueOf('Title'), valueOf('Description')]).toEqual(['Alien', 'A crew meets a stranger.'])
  expect(screen.getByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')).toBeTruthy()
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(api.callsOf('addCard')).toHaveLength(1))
  expect(api.callsOf('searchCatalogue').map(({ request }) => request.query.get('q'))).toEqual(['ali'])
  expect(api.callsOf('addCard')[0]?.request.body).toEqual({
    title: 'Alien',
    description: 'A crew meets a stranger.',
    image: 'http://localhost:3000/images/alien-640.webp',
    movie: ALIEN,
    revealImmediately: false,
  })
})

test('arrow keys go round the options, and Escape closes them and keeps the text', async () => {
  await openForm({
    searchCatalogue: () => ({
      results: [aResult('Le Samouraï', { title: 'The Samurai', originalTitle: 'Le Samouraï' })],
    }),
  })

  await userEvent.keyboard('samurai')
  await screen.findByText('1 movie found')
  expect(activeOption()).toBe('The SamuraiLe Samouraï1979 · Ridley Scott')
  await userEvent.keyboard('{ArrowUp}')
  expect(activeOption()).toBe('Add “samurai” by hand')
  await userEvent.keyboard('{ArrowDown}')
  expect(activeOption()).toBe('The SamuraiLe Samouraï1979 · Ridley Scott')
  await userEvent.keyboard('{Escape}')

  expect([field().getAttribute('aria-expanded'), options(), field().value]).toEqual(['false', [], 'samurai'])
})

test('a late answer to an earlier text is dropped', async () => {
  const { promise: late, resolve } = Promise.withResolvers<unknown>()
  const api = await openForm({
    searchCatalogue: async ({ query }) => (query.get('q') === 'ali' ? late : { results: [aResult('Brazil')] }),
  })

  await userEvent.keyboard('ali')
  await waitFor(() => expect(api.callsOf('searchCatalogue')).toHaveLength(1))
  await userEvent.clear(field())
  await userEvent.keyboard('brazil')
  await screen.findByText('1 movie found')
  resolve({ results: [aResult('Alien')] })

  await waitFor(() => expect(options()).toEqual(['Brazil1979 · Ridley Scott', 'Add “brazil” by hand']))
})

test.each([
  ['nothing is found', () => ({ results: [] }), 'No movie was found. You can add it by hand.'],
  ['the source is down', DOWN, 'The movie catalogue cannot be reached right now. You can add the movie by hand.'],
  [
    'the catalogue is off',
    () => new Refusal(404, 'NOT_FOUND', 'The movie catalogue is switched off'),
    'The movie catalogue is switched off. You can add the movie by hand.',
  ],
])('where %s, Enter takes the text over into the form', async (_, searchCatalogue, sentence) => {
  const api = await openForm({ searchCatalogue })

  await userEvent.keyboard('Home movie')
  expect(await screen.findByText(sentence)).toBeTruthy()
  await userEvent.keyboard('{Enter}')

  expect(valueOf('Title')).toBe('Home movie')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Title' })))
  expect(api.callsOf('searchCatalogue')).toHaveLength(1)
})

test('a movie whose details cannot be read is filled in as far as the result knows it', async () => {
  const api = await openForm({ searchCatalogue: () => ({ results: [aResult('Alien')] }), readCatalogueMovie: DOWN })

  await userEvent.keyboard('ali')
  await screen.findByText('1 movie found')
  await userEvent.keyboard('{Enter}')

  expect(
    await screen.findByText('The poster of Alien could not be fetched. Please fill in what is missing.'),
  ).toBeTruthy()
  expect([valueOf('Title'), valueOf('Image URL')]).toEqual(['Alien', ''])
  expect(screen.getByText('1979 · Ridley Scott')).toBeTruthy()
  expect(api.callsOf('readCatalogueMovie')).toHaveLength(1)
})

test('a title that is changed while the details are read stays', async () => {
  const { promise: details, resolve } = Promise.withResolvers<unknown>()
  await openForm({ searchCatalogue: () => ({ results: [aResult('Alien')] }), readCatalogueMovie: async () => details })

  await userEvent.keyboard('ali')
  await screen.findByText('1 movie found')
  await userEvent.keyboard('{Enter}')
  expect(valueOf('Title')).toBe('Alien')
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), ', again')
  resolve(FOUND)

  await waitFor(() => expect(valueOf('Description')).toBe('A crew meets a stranger.'))
  expect(valueOf('Title')).toBe('Alien, again')
})

test('a pasted link fills in the form', async () => {
  const api = await openForm({ readCatalogueLink: () => FOUND })

  await userEvent.paste('Look: https://www.imdb.com/title/tt0078748/.')

  await waitFor(() => expect(valueOf('Title')).toBe('Alien'))
  expect(api.callsOf('readCatalogueLink').map(({ request }) => request.body)).toEqual([
    { url: 'https://www.imdb.com/title/tt0078748/', language: 'en-US' },
  ])
})

test('a link without a movie can go into the description', async () => {
  await openForm({ readCatalogueLink: () => new Refusal(400, 'BAD_REQUEST', 'No movie was found at this link') })

  await userEvent.paste('https://example.org/film')
  await screen.findByText('No movie was found at this link. You can add it by hand.')
  await userEvent.keyboard('{Enter}')

  expect([valueOf('Title'), valueOf('Description')]).toEqual(['', 'https://example.org/film'])
})

test('a second choice replaces what the first filled in, and keeps what the user wrote', async () => {
  await openForm({
    searchCatalogue: ({ query }) => ({ results: [aResult(String(query.get('q')))] }),
    readCatalogueMovie: () => ({ ...FOUND, title: 'Aliens', posterUrl: null, movie: { ...ALIEN, year: 1986 } }),
    readCatalogueLink: () => FOUND,
  })

  await pasteLink()
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), ' Seen in 1979!')
  await userEvent.type(field(), 'aliens')
  await screen.findByText('1 movie found')
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(valueOf('Title')).toBe('Aliens'))
  expect(valueOf('Description')).toBe('A crew meets a stranger. Seen in 1979!')
  expect(valueOf('Image URL')).toBe('')
  expect(screen.getByText('1986 · 1 h 57 · Horror, Science fiction · Ridley Scott')).toBeTruthy()
})

test('a movie that is already in the watchlist is marked before it is added', async () => {
  const api = await openForm({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({
      inFeed: { cardId: 'c7', status: 'WATCHED', statusChangedAt: '2025-03-14T20:00:00.000Z' },
      isInBox: true,
    }),
  })

  await userEvent.paste('https://www.imdb.com/title/tt0078748/')

  expect(await screen.findByText('In the feed, watched in March 2025')).toBeTruthy()
  expect(screen.queryByText('This is already in the box')).toBeNull()
  expect(Object.fromEntries(api.callsOf('matchMovie')[0]?.request.query ?? [])).toEqual({
    title: 'Alien',
    originalTitle: 'Alien',
    year: '1979',
    tmdb: '348',
    imdb: 'tt0078748',
    wikidata: 'Q103569',
    letterboxd: 'alien',
  })
})

test('the form says of a movie in the box only that it is there', async () => {
  await openForm({ readCatalogueLink: () => FOUND, matchMovie: () => ({ inFeed: null, isInBox: true }) })

  await userEvent.paste('https://www.imdb.com/title/tt0078748/')

  expect(await screen.findByText('This is already in the box')).toBeTruthy()
})

test('a movie in the box is wanted instead of added, which closes the form', async () => {
  const close = vi.fn<() => void>()
  const api = fakeApi({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({ inFeed: null, isInBox: true }),
    wantMovie: () => undefined,
  })
  await renderPart(<AddMovieForm watchlistId="w1" onAdded={() => {}} onCancel={close} />)

  await userEvent.paste('https://www.imdb.com/title/tt0078748/')
  await userEvent.click(await screen.findByRole('button', { name: 'I want this too' }))

  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(api.callsOf('wantMovie').map(({ request }) => request.body)).toEqual([{ title: 'Alien', movie: ALIEN }])
  expect(api.callsOf('addCard')).toEqual([])
})

test('a movie that has left the box meanwhile is not wanted, and the form says where it is', async () => {
  let isInBox = true
  const inFeed = { cardId: 'c7', status: 'REVEALED', statusChangedAt: '2025-03-14T20:00:00.000Z' }
  await openForm({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({ inFeed: isInBox ? null : inFeed, isInBox }),
    wantMovie: () => {
      isInBox = false
      return new Refusal(404, 'NOT_FOUND', 'This movie is not in the box any more')
    },
  })

  await userEvent.paste('https://www.imdb.com/title/tt0078748/')
  await userEvent.click(await screen.findByRole('button', { name: 'I want this too' }))

  expect(await screen.findByText('In the feed, revealed in March 2025')).toBeTruthy()
  expect(screen.getByText('This movie is not in the box any more')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'I want this too' })).toBeNull()
})

test('going on by hand removes what the chosen movie filled in', async () => {
  await openForm({ searchCatalogue: () => ({ results: [] }), readCatalogueLink: () => FOUND })

  await pasteLink()
  await userEvent.type(field(), 'Home movie')
  await screen.findByText('No movie was found. You can add it by hand.')
  await userEvent.keyboard('{Enter}')

  expect([valueOf('Title'), valueOf('Description'), valueOf('Image URL')]).toEqual(['Home movie', '', ''])
  expect(screen.queryByText('Details')).toBeNull()
})

test('the form has no search without a catalogue, and the title has the focus', async () => {
  setFeatures({ ...before, catalogue: null })
  await openForm({})

  expect(screen.queryByRole('combobox')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Title' })))
})

test('a reset of the form leaves the messages of the search in place', async () => {
  await openForm({ readCatalogueLink: () => FOUND })
  await userEvent.paste('https://www.imdb.com/title/tt0078748/')
  const sentence = await screen.findByText('Details of Alien are filled in. Change anything below.')

  sentence.closest('form')?.reset()

  expect(sentence.isConnected).toBe(true)
})
